#!/bin/bash
# FairThreads programs (libfthread): they run natively; under simul they have as many orders as brute force finds, with one order for all instants and
# with any; random programs have its outcomes; bugs replay; what cannot work ends with a message.
#
#   FAIR_PROGRAMS=N tests/fairthreads.sh   N random programs with each policy (default 2000), RANDOM_PERCENT of them
#
# tests/fairthreads/golden.tsv: program, source, macros, verdict, traces with one order and with any ("bug": it fails with any order only;
# "-": not compared, since a failure ends an execution while other turns of the pass are still to come), and block traces with one order: the numbers
# are from brute force over all orders, for rings of more than 6 transmitters from the argument that a ring of N has N + 1. Of fact1-mod
# and gear-box each of the other threads comes before or after the one with which it shares something: the multiplier, and the control.
. "$(dirname "$0")/lib.sh"
suite fairthreads
CASE_SECONDS=900
programs=tests/fairthreads
library=$(dirname "$(readlink -f "$SIMUL")")

build() { # OUT SOURCE OPTIONS...
	local out=$1 source=$2
	shift 2
	[ -x "$out" ] || "${CC:-gcc}" -g -pthread -Iinclude "$@" -o "$out" "$programs/$source.c" -L"$library" -lfthread -Wl,-rpath,"$library"
}

# explored PROGRAM VERDICT TRACES OPTIONS...; TRACES may be "-"
explored() {
	local prog=$1 verdict=$2 traces=$3
	shift 3
	show_cmd "$SIMUL run --keep-going $* -- $prog"
	simul_run run --keep-going --quiet --output "$dir/out" --json "$dir/r.json" "$@" -- "$prog" >"$dir/output" 2>&1
	expect_eq verdict "$verdict" "$(json "$dir/r.json" verdict)" || return 1
	[ "$traces" = - ] || expect_eq "distinct traces" "$traces" "$(json "$dir/r.json" distinct_traces)"
}

# fixed COMPILER LEVEL OPTIONS...
fixed() {
	local prog=$dir/$name macros=$macros
	CC=$1
	[ "$macros" = - ] && macros=
	# shellcheck disable=SC2086
	build "$prog" "$source" "$2" $macros || return 1
	shift 2
	explored "$prog" "$verdict" "$fixed" "$@" && expect_eq "block traces" "$blocks" "$(json "$dir/r.json" block_traces)" && expect_eq "what-if" false "$(json "$dir/r.json" what_if)" && { [ "$fixed" = - ] || expect_eq executions "$fixed" "$(json "$dir/r.json" executions)"; }
}

# Without simul, threads run in the order in which they were created.
native() {
	local macros=$macros want=0
	[ "$macros" = - ] && macros=
	# shellcheck disable=SC2086
	build "$dir/$name" "$source" -O1 $macros || return 1
	[ "$verdict" = bug ] && want=134
	timeout 20 "$dir/$name" 2>/dev/null
	expect_eq "exit status" "$want" $?
}

any() {
	local macros=$macros
	[ "$macros" = - ] && macros=
	# shellcheck disable=SC2086
	build "$dir/$name" "$source" -O1 $macros || return 1
	export FTHREAD_ORDER=any
	if [ "$any" = bug ]; then
		explored "$dir/$name" bug -
	else
		explored "$dir/$name" "$verdict" "$any" --strategy optimal && expect_eq "what-if" true "$(json "$dir/r.json" what_if)" &&
			expect_eq policy fair-any "$(json "$dir/r.json" policies.0)" && grep -q 'a what-if: FairThreads threads in any order, but' "$dir/output"
	fi
}

rows=0
while IFS=$'\t' read -r name source macros verdict fixed any blocks; do
	[ "$name" != program ] || continue
	rows=$((rows + 1))
	run_case "$name native" native
	for cc in gcc clang; do
		for level in -O0 -O2; do
			of_many 2 "$name $cc $level" && run_case "$name $cc $level" fixed $cc $level --strategy optimal
		done
	done
	of_many 2 "$name auto" && run_case "$name auto" fixed gcc -O1
	of_many 2 "$name shuffle" && run_case "$name shuffle" fixed gcc -O1 --strategy optimal --shuffle 7
	[ "$verdict $any" = "complete -" ] && continue # too many orders
	of_many 2 "$name any" && run_case "$name any order" any
done <$programs/golden.tsv
run_case "the table has all rows" expect_eq rows 17 $rows

# ring_of N: builds the ring of N transmitters
ring_of() {
	build "$dir/ring$1" token-ring -O2 -DNN="$1"
}

# The largest ring of the table: 2^(N+1) - 2 orders of 39,916,800.
ring() {
	ring_of 10 && explored "$dir/ring10" complete 2046 --strategy optimal &&
		expect_eq "block traces" 11 "$(json "$dir/r.json" block_traces)"
}
run_case "ft-token-ring.10" ring

# With one order there is one worker, and the summary says why. Also if there were two until the turns became known.
one_worker() {
	ring_of 10 && one_worker_of && SIMUL_TEST_SHARE_AT_ONCE=1 one_worker_of
}
one_worker_of() {
	simul_run run --strategy optimal --jobs 2 --output "$dir/out" --json "$dir/r.json" -- "$dir/ring10" >"$dir/output" 2>&1
	expect_eq executions 2046 "$(json "$dir/r.json" executions)" && expect_eq verdict complete "$(json "$dir/r.json" verdict)" &&
		expect_eq jobs 1 "$(json "$dir/r.json" jobs)" &&
		{ grep -q '^jobs: 1, not 2: turns of FairThreads are atomic regions, which one worker explores$' "$dir/output" || { cat "$dir/output"; return 1; }; }
}
# With any order two workers share the search.
two_workers() {
	ring_of 4 && SIMUL_TEST_SHARE_AT_ONCE=1 FTHREAD_ORDER=any explored "$dir/ring4" complete 266 --strategy optimal --jobs 2 &&
		expect_eq jobs 2 "$(json "$dir/r.json" jobs)"
}
run_case "one order, --jobs 2" one_worker
run_case "any order, --jobs 2" two_workers

calls() {
	build "$dir/calls" calls -O1 || return 1
	expect_eq natively "all done" "$(timeout 20 "$dir/calls")" || return 1
	explored "$dir/calls" complete - && FTHREAD_ORDER=any explored "$dir/calls" complete -
}
run_case "every function" calls

# The order that one instant decided holds in later ones.
decided() {
	build "$dir/decided" decided -O1 "$1" && explored "$dir/decided" complete - --strategy optimal
}
run_case "decided through another thread" decided -DTHROUGH
run_case "decided before memory is known" decided -DDISCOVER

# A recording keeps its policy, and does not replay under another one.
policy() {
	local recording
	build "$dir/same" order-bug -O1 -DCHANGES || return 1
	FTHREAD_ORDER=any simul_run run --quiet --output "$dir/out" -- "$dir/same" >"$dir/output" 2>&1
	recording=$(echo "$dir"/out/*.simul)
	simul_run replay "$recording" 2>&1 | grep -q 'simul: replayed' || { echo "it does not replay"; return 1; }
	FTHREAD_ORDER=fixed simul_run replay --env current "$recording" >"$dir/output" 2>&1 && { echo "it replays under another policy"; return 1; }
	grep -q 'simul: not replayed' "$dir/output"
}
run_case "a recording and its policy" policy

# refused MACRO MESSAGE: the program ends with the message, whatever runs it
refused() {
	build "$dir/bad" bad -O1 "$1" || return 1
	simul_run run --output "$dir/out" -- "$dir/bad" >"$dir/output" 2>&1
	expect_eq status 1 $? && { grep -q "fthread: $2" "$dir/output" || { cat "$dir/output"; return 1; }; }
}
run_case "an endless instant" refused -DENDLESS 'instant 1 does not end: thread 0 made 10000 calls without cooperating'
run_case "a thread that joins itself" refused -DITSELF 'ft_thread_join: thread 0 joins itself'
run_case "too many threads" refused -DMANY 'ft_thread_create: a scheduler has at most 64 threads'
two_schedulers() {
	build "$dir/bad" bad -O1 -DTWO || return 1
	simul_run run --output "$dir/out" -- "$dir/bad" >"$dir/output" 2>&1 && return 1
	grep -q 'fthread: ft_scheduler_create: the process has a scheduler already' "$dir/output" && ! grep -q 'simul: complete' "$dir/output"
}
run_case "two schedulers" two_schedulers
wrong_policy() {
	build "$dir/bad" bad -O1 || return 1
	FTHREAD_ORDER=some "$dir/bad" 2>"$dir/output"
	expect_eq status 134 $? && grep -q 'fthread: FTHREAD_ORDER=some' "$dir/output"
}
run_case "an unknown policy" wrong_policy

compare() { # SEED PROGRAMS OPTIONS...
	SIMUL=$SIMUL timeout $CASE_SECONDS python3 $programs/fair.py --seed "$1" --programs "$2" --dir "$dir" "${@:3}"
}
count=$((${FAIR_PROGRAMS:-2000} * ${RANDOM_PERCENT:-100} / 100))
for ((seed = 1; count > 0; seed++, count -= 20)); do
	run_case "random programs, seed $seed" compare $seed $((count < 20 ? count : 20))
done
run_case "random programs, shuffled" compare 901 3 -- --shuffle 5
run_case "random programs, source" compare 902 3 -- --strategy source

# broken: the random programs must differ from brute force with a library in which TO replaces FROM in FILE.
broken() { # FILE FROM TO SEED PROGRAMS
	broken_build "$1" "$2" "$3" || return 1
	if SIMUL=$dir/tree/build/simul compare "$4" "$5" >"$dir/out" 2>&1; then
		echo "the comparison did not detect the broken library"
		return 1
	fi
	grep 'impossible\|missing' "$dir/out" && rm -rf "$dir/tree"
}
# undecided MACRO FILE FROM TO: the program fails with such a library
undecided() {
	build "$dir/decided" decided -O1 "$1" && broken_build "$2" "$3" "$4" || return 1
	SIMUL=$dir/tree/build/simul explored "$dir/decided" bug - --strategy optimal && rm -rf "$dir/tree"
}
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: dependent turns decide nothing" broken sched/fixed_order.c 'if (a != NO_MEMBER)' 'if (a > NO_MEMBER)' 1 15
	run_case "broken: what is decided is not transitive" undecided -DTHROUGH sched/fixed_order.c 'f->before[m] |= earlier' 'f->before[m] |= UINT64_C(1) << a'
	run_case "broken: accesses that are missing decide nothing" \
		undecided -DDISCOVER preload/hooks/hook_simul.c '&ctl_trace, accesses_missing()' '&ctl_trace, accesses_missing() && false'
fi
finish
