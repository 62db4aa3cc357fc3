#!/bin/bash
# --strategy trust executes each trace of the golden table once, in any order of threads, with no redundant execution. With --preemptions K,
# trust and bpor find as many traces within the bound as tests/golden/bounds.tsv states. They refuse unsupported options.
#
#   tests/trust.sh [NAME]   only the rows whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite trust

large=1500 # rows with more traces are left to `optimal`, which the golden suite runs
bin=$work/bin
mkdir -p "$bin"

# built PROGRAM SOURCE DEFINES COMMAND...
built() {
	local prog=$1 source=$2 defines=$3
	shift 3
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	gcc -O2 -g -pthread $defines -o "$prog" "tests/golden/$source" && "$@"
}

# search PROGRAM OPTIONS...: writes the result to $dir/r.json
strategy=trust
search() {
	local prog=$1
	shift
	show_cmd "$SIMUL run --keep-going --strategy $strategy $* -- $prog"
	simul_run run --keep-going --quiet --strategy $strategy --output "$dir/out" --json "$dir/r.json" "$@" -- "$prog"
}

# count NAME EXPECTED PROGRAM: also shuffled
count() {
	local name=$1 expected=$2 prog=$3 verdict=complete shuffle
	[[ $name == *deadlock* ]] && verdict=bug
	for shuffle in 0 7; do
		search "$prog" --shuffle $shuffle
		expect_eq verdict $verdict "$(json "$dir/r.json" verdict)" &&
			expect_eq executions "$expected" "$(json "$dir/r.json" executions)" &&
			expect_eq "within the bound" "$expected" "$(json "$dir/r.json" within_bound)" &&
			expect_eq "blocked executions" 0 "$(json "$dir/r.json" blocked)" || return 1
	done
}

# bounds PROGRAM K0 K1 ...: the verdict is "bounded" when traces were left out, else "complete"
bounds() {
	local prog=$1 most=0 expected all verdict
	shift
	all=${!#}
	for expected in "${@:1:6}"; do
		search "$prog" --preemptions $most || return 1
		verdict=bounded
		[ "$(json "$dir/r.json" executions)" = "$all" ] && verdict=complete
		expect_eq "within $most preemptions" "$expected" "$(json "$dir/r.json" within_bound)" &&
			expect_eq verdict $verdict "$(json "$dir/r.json" verdict)" &&
			expect_eq preemptions $most "$(json "$dir/r.json" preemptions)" || return 1
		most=$((most + 1))
	done
}

# bpor_bounds PROGRAM K0 K1 ...: bpor finds the same number of traces; it needs more executions, and none exceeds the bound
bpor_bounds() {
	local prog=$1 most=0 expected verdict strategy=bpor
	shift
	for expected in "${@:1:6}"; do
		search "$prog" --preemptions $most || return 1
		verdict=$(json "$dir/r.json" verdict)
		expect_eq "within $most preemptions" "$expected" "$(json "$dir/r.json" within_bound)" &&
			expect_eq preemptions $most "$(json "$dir/r.json" preemptions)" &&
			[ "$(json "$dir/r.json" executions)" -ge "$expected" ] || return 1
		# nothing was left out, so these are all traces
		[ "$verdict" = bounded ] || expect_eq "verdict, traces" "complete $expected" "$verdict ${!#}" || return 1
		most=$((most + 1))
	done
}

# refused TEXT OPTIONS...: the exit status is 2 and simul prints TEXT
refused() {
	local text=$1 status
	shift
	simul_run run "$@" -- /bin/true >"$dir/refused" 2>&1
	status=$?
	cat "$dir/refused"
	expect_eq "exit status" 2 $status && grep -q -e "$text" "$dir/refused"
}

rows=0
while IFS=$'\t' read -r name source defines sc _; do
	[ "$name" != name ] && [ "$sc" -le $large ] || continue
	rows=$((rows + 1))
	[[ $name == *"${1-}"* ]] && of_many 2 "$name" && run_case "$name" built "$bin/${name//\//_}" "$source" "$defines" count "$name" "$sc" "$bin/${name//\//_}"
done <tests/golden/golden.tsv
run_case "the table has rows" test "$rows" -ge 60

while IFS=$'\t' read -r name source defines numbers; do
	[ "$name" != name ] && [[ $name == *"${1-}"* ]] || continue
	# shellcheck disable=SC2086
	of_many 2 "$name, bounded" && run_case "$name, bounded" built "$bin/b$name" "$source" "$defines" bounds "$bin/b$name" $numbers
	# shellcheck disable=SC2086
	of_many 2 "$name, bpor" && run_case "$name, bpor" built "$bin/p$name" "$source" "$defines" bpor_bounds "$bin/p$name" $numbers
done <tests/golden/bounds.tsv

# Each ticket is another spin loop, so the warm-up is long. bpor finds the same number within the bound.
bounded_by() { search "$1" --preemptions "$2" && expect_eq "within $2 preemptions" "$3" "$(json "$dir/r.json" within_bound)"; }
# ticket_lock PROGRAM COMMAND...
# Values in registers that no instruction reads are no part of a loop's state. Otherwise there would be thousands of states.
discovered_soon() {
	local n
	count ticket 252 "$1" && n=$(json "$dir/r.json" learning_executions) && { [ "$n" -lt 1500 ] || { echo "$n warm-up executions"; false; }; }
}
ticket_lock() { built "$1" ../../bench/bounded/spin.c "-DTHREADS=2 -DROUNDS=5" "${@:2}"; }
if [[ "ticket lock" == *"${1-}"* ]]; then
	run_case "ticket lock" ticket_lock "$bin/ticket" discovered_soon "$bin/ticket"
	run_case "ticket lock, bounded" ticket_lock "$bin/bticket" bounded_by "$bin/bticket" 1 18
	strategy=bpor run_case "ticket lock, bpor" ticket_lock "$bin/pticket" bounded_by "$bin/pticket" 1 18
fi

run_case "no store buffers" refused "sequential consistency only" --strategy trust --model tso
run_case "no bound without trust" refused "leave out --strategy optimal" --strategy optimal --preemptions 1
run_case "a bound is for trust" refused "leave out --model tso" --model tso --preemptions 1
run_case "no store buffers with bpor" refused "sequential consistency only" --strategy bpor --preemptions 1 --model pso
run_case "bpor wants a bound" refused "add --preemptions K" --strategy bpor
finish
