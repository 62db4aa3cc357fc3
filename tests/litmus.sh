#!/bin/bash
# Litmus programs (tests/litmus/): the number of traces, by every strategy that the .expect file names; for `optimal`
# also with the threads picked in other orders and with kernel threads.
. "$(dirname "$0")/lib.sh"
suite litmus

# count PROGRAM STRATEGY VERDICT TRACES BLOCKED OPTIONS...
count() {
	local prog=$1 strategy=$2 verdict=$3 traces=$4 blocked=$5 status want=0
	shift 5
	[ "$verdict" = bug ] && want=1
	show_cmd "$SIMUL run --keep-going --strategy $strategy $* -- $prog"
	simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" --strategy "$strategy" "$@" -- "$prog"
	status=$?
	expect_eq "exit status" $want $status &&
		expect_eq verdict "$verdict" "$(json "$dir/r.json" verdict)" &&
		expect_eq "distinct traces" "$traces" "$(json "$dir/r.json" distinct_traces)" || return 1
	[ "$strategy" = optimal ] || return 0
	expect_eq executions "$traces" "$(json "$dir/r.json" executions)" || return 1
	[ "$blocked" = any ] || expect_eq "blocked executions" 0 "$(json "$dir/r.json" blocked)"
}

litmus() {
	local name=$1 prog=$work/bin/$1 model strategy verdict traces blocked lines=0
	gcc -g -O1 -D_GNU_SOURCE -Wall -pthread -o "$prog" "tests/litmus/$name/$name.c" || { run_case "$name compiles" false; return; }
	while read -r model strategy verdict traces blocked; do
		[[ $model == '#'* || -z $model ]] && continue
		lines=$((lines + 1))
		[[ $model == sc && $traces =~ ^[0-9]+$ ]] || { run_case "$name: bad line" false; continue; }
		run_case "$name $strategy" count "$prog" "$strategy" "$verdict" "$traces" "$blocked"
		[ "$strategy" = optimal ] || continue
		run_case "$name $strategy shuffled" count "$prog" optimal "$verdict" "$traces" "$blocked" --shuffle 5
		run_case "$name $strategy kernel threads" count "$prog" optimal "$verdict" "$traces" "$blocked" --threads kernel
	done <"tests/litmus/$name/$name.expect"
	[ $lines -gt 0 ] || run_case "$name: nothing is expected" false
}

mkdir -p "$work/bin"
for d in tests/litmus/*/; do
	litmus "$(basename "$d")"
done
finish
