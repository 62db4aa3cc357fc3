#!/bin/bash
# --strategy auto, the default: searches with preemption bounds 0, 1, 2, ... interleaved with the full search, and samples when the full
# search cannot finish. Each trace of the golden table is counted once. A bug is found at the bound it needs. A stopped search reports
# exactly the bounds it completed. A bug that only samples find in time is reported, and samples do not count for the verdict. In long executions
# samples begin at once, and find deadlocks of locks that are taken in opposite orders. auto works with --resume, --jobs and every isolation.
#
#   tests/auto.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite auto
only=${1-}
bin=$work/bin
mkdir -p "$bin"

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }
build() { gcc -g -O1 -D_GNU_SOURCE -pthread -o "$@" || run_case "$1 compiles" false; }

# search STATUS PROGRAM OPTIONS...: writes the result to $dir/r.json and the output to $dir/said
search() {
	local want=$1 prog=$2
	shift 2
	show_cmd "$SIMUL run $* -- $prog"
	# shellcheck disable=SC2086
	simul_run run --output "$dir/out" --json "$dir/r.json" "$@" -- $prog >"$dir/said" 2>&1
	expect_eq "exit status" "$want" $? || { cat "$dir/said"; return 1; }
}
value() { json "$dir/r.json" "$1"; }

# count TRACES PROGRAM OPTIONS...
count() {
	local traces=$1 words
	shift
	search 0 "$@" || return 1
	words="every one of $traces traces explored"
	[ "$traces" = 1 ] && words="there is only one trace"
	expect_eq verdict "complete auto" "$(value verdict) $(value strategy)" &&
		expect_eq "distinct traces" "$traces" "$(value distinct_traces)" &&
		[ "$(value executions)" -ge "$traces" ] && expect_eq "estimate" "$(value executions)" "$(value estimate)" &&
		tail -n 1 "$dir/said" | grep -q "^simul: complete: $words, no bug"
}

# needs N: the bug of `steps N` needs N preemptions. A bound also explores some traces beyond it, so the bug is found at bound N or earlier,
# and never at a bound below the reported one. The failing execution may have more than N preemptions, but never fewer.
needs() {
	local n=$1 bound real said
	shift
	search 1 "$bin/steps $n" --no-patch "$@" || return 1
	bound=$(value bugs.0.bound) real=$(value bugs.0.needs_preemptions)
	expect_eq "bugs" 1 "$(value bugs.#)" && [ "$real" -ge "$n" ] || return 1
	said="that execution needs $real preemptions?"
	[ "$(value bugs.0.preemptions)" -ge "$real" ] || said="first found with $real preemptions?, simplified to $(value bugs.0.preemptions)"
	if [ "$bound" = null ]; then # the full search, which runs interleaved, found it first
		grep -qE "of strategy auto, without a bound; $said\$" "$dir/said"
		return
	fi
	[ "$bound" -le "$n" ] || return 1
	grep -qE "of strategy auto, bound $bound; $said\$" "$dir/said" || return 1
	[[ $* == *no-minimize* ]] || expect_eq "its preemptions" "$n" "$(value bugs.0.preemptions)" || return 1
	if [ "$bound" -gt 0 ]; then
		[[ $* == *keep-going* ]] || expect_eq "bound that was complete" $((bound - 1)) "$(value bound_completed)" || return 1
		simul_run run -q --no-patch --preemptions $((bound - 1)) --output "$dir/less" -- "$bin/steps" "$n" || return 1
	fi
	simul_run run -q --no-patch --preemptions "$bound" --output "$dir/less" -- "$bin/steps" "$n"
	expect_eq "exit status with that bound" 1 $?
}

# all_bugs: each bug is reported once, at its bound, with its share of all traces
all_bugs() {
	needs 1 --keep-going --no-minimize || return 1
	expect_eq "verdict of the rest" "1" "$(grep -c "traces explored fail.* in this way; the search is complete" "$dir/said")" &&
		[ "$(value bugs.0.count)" -lt "$(value distinct_traces)" ] &&
		expect_eq "traces that fail" "$(value bugs.0.count)" "$(sed -n 's/.*, \([0-9]*\) of [0-9]* traces explored fail.*/\1/p' "$dir/said")" || return 1
	local fail all
	fail=$(value bugs.0.count) all=$(value distinct_traces)
	search 1 "$bin/steps 1" --no-patch --keep-going --no-minimize --strategy optimal &&
		expect_eq "as with optimal" "$fail of $all" "$(value bugs.0.count) of $(value distinct_traces)"
}

# stopped OPTIONS...: stops a large search; its statements about bounds agree with those of --preemptions
stopped() {
	local k traces
	search 0 "$bin/large" "$@" || return 1
	expect_eq verdict bounded "$(value verdict)" || return 1
	k=$(value bound_completed) traces=$(value bound_traces)
	expect_eq preemptions "$k" "$(value preemptions)" && [[ $(value reason) == *"used up"* ]] &&
		grep -q "^simul: complete up to $k preemption.*: $traces traces explored, no bug so far; beyond that, unfinished (.*used up" "$dir/said" || return 1
	search 3 "$bin/large" --require-complete "$@" || return 1
	search 0 "$bin/large" --preemptions "$k" || return 1
	expect_eq "verdict with that bound" "bounded trust $k" "$(value verdict) $(value strategy) $(value preemptions)" &&
		[ "$(value within_bound)" -le "$traces" ]
}

# sampled OPTIONS...: only samples find the bug in time. The report says that a sample found it, and the bug replays.
sampled() {
	search 1 "$bin/many" --time 60s "$@" || return 1
	expect_eq "bugs" 1 "$(value bugs.#)" && expect_eq "its bound, count" "null 0" "$(value bugs.0.bound) $(value bugs.0.count)" &&
		[ "$(value bugs.0.samples)" -ge 1 ] && [ "$(value samples)" -ge "$(value bugs.0.samples)" ] && [ "$(value samples)" -lt "$(value executions)" ] &&
		grep -qE "of strategy auto, by a sample \(surw\)(; that execution needs (at most )?[0-9]+|$)" "$dir/said" &&
		grep -q "^of these, samples (surw): $(value samples)\$" "$dir/said" || return 1
	simul_run replay --quiet "$(value bugs.0.recording)"
	expect_eq "exit status of the replay" 1 $?
}

# unproved MODEL: samples prove nothing, however many there are.
unproved() {
	search 0 "$bin/large" --executions 20000 --model "$1" && [ "$(value samples)" -gt 0 ] &&
		[ "$(value distinct_traces)" -le $(($(value executions) - $(value samples))) ] || return 1
	[ "$1" = sc ] || expect_eq verdict "incomplete" "$(value verdict)" || return 1
	[ "$(value verdict)" != complete ]
}

# Nothing is claimed that was not explored.
too_early() {
	search 0 "$bin/large" --executions 3 && expect_eq "verdict" "incomplete " "$(value verdict) $(json "$dir/r.json" bound_completed | grep -v null)"
}

# pieces TRACES PROGRAM: searches 100 executions at a time until the search is complete
pieces() {
	local traces=$1 prog=$2 runs=0 before=0 saved
	while [ $runs -lt 60 ]; do
		search 0 "$prog" --resume "$dir/state" --executions 100 || return 1
		runs=$((runs + 1))
		[ "$(value verdict)" = complete ] && break
		expect_eq executions $((before + 100)) "$(value executions)" || return 1
		before=$(value executions)
		# On an overloaded machine the last execution may be killed. Then simul says from which state the next part starts.
		saved=$(sed -n 's/.*the last execution was not finished; .*(\([0-9]*\) executions)$/\1/p' "$dir/said")
		before=${saved:-$before}
	done
	[ $runs -gt 3 ] && expect_eq verdict complete "$(value verdict)" && expect_eq "distinct traces" "$traces" "$(value distinct_traces)" || return 1
	search 0 "$prog" --resume "$dir/state" && grep -q "nothing to run" "$dir/said" && expect_eq "distinct traces" "$traces" "$(value distinct_traces)"
}

# When shared memory is discovered late, the search restarts and claims nothing from before.
discovered_late() {
	local traces
	search 0 "$bin/late" --strategy optimal --jobs 1 && traces=$(value distinct_traces) || return 1
	count "$traces" "$bin/late" "$@" && [ "$(value learning_executions)" -gt 1 ]
}

with_buffers() {
	search 0 "$bin/steps 9" --model "$1" && expect_eq "verdict, strategy" "complete auto" "$(value verdict) $(value strategy)" &&
		expect_eq samples 0 "$(value samples)"
}

# A search whose full part and samples are all cut says so: in the summary, in the verdict and in JSON.
cut_samples() {
	local samples
	search 0 "$bin/steps 9" --no-patch --max-steps 8 --executions 1000 --jobs 1 || return 1
	samples=$(value samples_cut)
	expect_eq "verdict, samples that ended" "incomplete 0" "$(value verdict) $(value samples)" && [ "${samples:-0}" -ge 20 ] &&
		expect_eq cut "$((samples + 1))" "$(value cut)" && grep -qx "cut: $((samples + 1))" "$dir/said" &&
		grep -qx "samples among those cut (surw): $samples" "$dir/said" &&
		grep -q "^simul: incomplete: $((samples + 1)) executions were cut after 8 steps (--max-steps), samples among them: $samples; no sample ran to its end" "$dir/said" ||
		{ cat "$dir/said"; return 1; }
}

# interpreter PROGRAM: in long executions of a program with a big lock, the deadlock of two locks is found
interpreter() {
	search 1 "$1" --executions 300 --no-minimize --jobs 1 && expect_eq "kind of the bug" deadlock "$(value bugs.0.kind)"
}

# Two threads that wait for each other in turn, by waits with a limit of time, must not outdo each other's delays.
uncut() {
	search 1 "$bin/big_lock 3000" --strategy "$1" --executions 20 --keep-going --no-minimize --jobs 1 && expect_eq "executions that were cut" 0 "$(value cut)"
}

shared() {
	SIMUL_TEST_SHARE_AT_ONCE=1 count "$@" || return 1
	expect_eq jobs 3 "$(value jobs)"
}

build "$bin/steps" tests/auto/steps.c
build "$bin/late" tests/jobs/late.c
build "$bin/large" -DN=3 -DR=5 tests/golden/mutex.c
build "$bin/mutex" -DN=3 -DR=3 tests/golden/mutex.c
build "$bin/longer" -DN=3 -DR=4 tests/golden/mutex.c
build "$bin/many" -O2 -I bench/bounded -DN=40 bench/bounded/twostage.c
build "$bin/big_lock" tests/auto/big_lock.c
build "$bin/rinc" -DN=4 -DR=1 tests/golden/rinc.c

while IFS=$'\t' read -r name source defines sc _; do
	[[ $name =~ ^(SB|IRIW|readers\(5\)|writers\(5\)|rinc\(2x3\)|indexer\(11\)|indexer\(14\)|filesystem\(18\)|lastzero\(5\)|lastzero\(8\)|fib\(3\)|mutex\(3x2\)|phil\(4\))$ ]] || continue
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	build "$bin/${name//\//_}" $defines "tests/golden/$source"
	new_case "$name" count "$sc" "$bin/$name"
done <tests/golden/golden.tsv
new_case "mutex(3x3) fork" count 1680 "$bin/mutex" --isolation fork
new_case "mutex(3x3) shuffled" count 1680 "$bin/mutex" --shuffle 7
new_case "rinc(4x1) kernel threads" count 576 "$bin/rinc" --threads kernel
new_case "mutex(3x2) exec" count 90 "$bin/mutex(3x2)" --isolation exec
new_case "mutex(3x3) little memory" count 1680 "$bin/mutex" --memory 24M
new_case "mutex(3x4) three workers" shared 34650 "$bin/longer" --jobs 3 # a shorter search may end before workers come
for n in 0 1 2 3; do new_case "a bug that needs $n" needs $n; done
new_case "a bug that needs 2, forked" needs 2 --isolation fork
new_case "a bug that needs 1, three workers" needs 1 --jobs 3
new_case "all bugs" all_bugs
new_case "stopped by executions" stopped --executions 2000
new_case "stopped by time" stopped --time 3s
new_case "stopped early" too_early
new_case "in pieces" pieces 1680 "$bin/mutex"
new_case "shared memory discovered late" discovered_late
new_case "shared memory discovered late, forked" discovered_late --isolation fork
new_case "found by a sample" sampled --no-minimize --jobs 1
new_case "found by a sample, two workers" sampled --no-minimize --jobs 2 --seed 7
new_case "samples prove nothing" unproved sc
new_case "samples prove nothing, TSO" unproved tso
new_case "samples that are cut" cut_samples
new_case "big lock" interpreter "$bin/big_lock 3000"
new_case "big lock, random" uncut random
new_case "big lock, surw" uncut surw
! command -v python3 >/dev/null || new_case "big lock of Python" interpreter "python3 tests/auto/deadlock.py"
new_case "TSO" with_buffers tso
new_case "PSO" with_buffers pso
finish
