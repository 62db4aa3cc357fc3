#!/bin/bash
# Litmus programs (tests/litmus/): the number of traces, by every strategy that the .expect file names; for `optimal`
# also with the threads picked in other orders and with kernel threads. Of the programs about store buffers (weak_*) the quick run has
# only the plain run with store buffers.
#
#   tests/litmus.sh [NAME]   only the programs whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite litmus

# compile PROGRAM: compiles it unless it exists. Two cases may do so at the same time; mv replaces it atomically.
compile() {
	local flags= litmus
	litmus=$(basename "${1%.t}")
	[[ $1 == *.t ]] && flags="-Wno-tsan -fsanitize=thread"
	# shellcheck disable=SC2086
	[ -x "$1" ] || { gcc -g -O1 -D_GNU_SOURCE -Wall -pthread -Iinclude $flags "tests/litmus/$litmus/$litmus.c" -o "$1.$BASHPID" && mv "$1.$BASHPID" "$1"; }
}

# count PROGRAM MODEL STRATEGY VERDICT TRACES BLOCKED OPTIONS...
count() {
	local prog=$1 model=$2 strategy=$3 verdict=$4 traces=$5 blocked=$6 status want=0
	shift 6
	compile "$prog" || return 1
	[ "$verdict" = bug ] && want=1
	[ "$model" = sc ] || set -- --model "$model" "$@"
	show_cmd "$SIMUL run --keep-going --strategy $strategy $* -- $prog"
	simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" --strategy "$strategy" "$@" -- "$prog"
	status=$?
	expect_eq "exit status" $want $status &&
		expect_eq verdict "$verdict" "$(json "$dir/r.json" verdict)" &&
		expect_eq model "$model" "$(json "$dir/r.json" model)" &&
		expect_eq "distinct traces" "$traces" "$(json "$dir/r.json" distinct_traces)" || return 1
	[ "$strategy" = optimal ] || return 0
	expect_eq executions "$traces" "$(json "$dir/r.json" executions)" || return 1
	[ "$blocked" = any ] || [ "$model" = pso ] || expect_eq "blocked executions" 0 "$(json "$dir/r.json" blocked)"
}

# line MODEL STRATEGY VERDICT TRACES BLOCKED PROGRAM SENSOR
line() {
	local args=("$6" "$1" "$2" "$3" "$4" "$5") case="$name $1 $2"
	[ "$7" = patch ] || case+=" $7"
	[ "$7" = patch ] || of_many 4 "sensor $case" || return 0
	[ "${SUITE_MODE-}" = quick ] && [[ $name == weak_* && $1-$2 =~ ^sc-|-source|-exhaustive ]] && return 0
	[ "$2" = optimal ] && [ "$1" = sc ] || of_many 3 "$case" || return 0
	[ "$2" = optimal ] || of_many 6 "strategy $case" || return 0
	run_case "$case" count "${args[@]}"
	[ "$2" = optimal ] || return 0
	[ "${SUITE_MODE-}" = quick ] && [[ $name == weak_* ]] && return 0
	! of_many 24 "$case shuffled" || run_case "$case shuffled" count "${args[@]}" --shuffle 5
	[ "$7" = patch ] && [ "$1" != pso ] && of_many 24 "$case kernel threads" || return 0
	run_case "$case kernel threads" count "${args[@]}" --threads kernel
}

litmus() {
	local name=$1 prog=$work/bin/$1 model sensor strategy verdict traces blocked lines=0
	while read -r model strategy verdict traces blocked; do
		[[ $model == '#'* || -z $model ]] && continue
		lines=$((lines + 1))
		sensor=${model#*/} model=${model%/*}
		[[ $model =~ ^(sc|tso|pso)$ && $sensor =~ ^($model|tsan|both)$ && $traces =~ ^[0-9]+$ ]] || { run_case "$name: bad line" false; continue; }
		[ "$sensor" = tsan ] || line "$model" "$strategy" "$verdict" "$traces" "$blocked" "$prog" patch
		[ "$sensor" = "$model" ] || line "$model" "$strategy" "$verdict" "$traces" "$blocked" "$prog.t" tsan
	done <"tests/litmus/$name/$name.expect"
	[ $lines -gt 0 ] || run_case "$name: nothing is expected" false
}

mkdir -p "$work/bin"
for d in tests/litmus/*"${1-}"*/; do
	litmus "$(basename "$d")"
done
finish
