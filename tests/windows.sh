#!/bin/bash
# Windows into long executions (docs/windows.md): programs with executions of 10^5 to 10^7 accesses, right and wrong ones.
. "$(dirname "$0")/lib.sh"
suite windows
CASE_SECONDS=600

build() { gcc -g -O1 -Wall -Wextra -Wno-unused-parameter -pthread "${@:3}" -o "$work/$1" "tests/windows/$2.c" || exit 1; }
build ring ring
build ring_wrong ring -DWRONG
build locks locks
build locks_wrong locks -DWRONG
build spin locks -DSPIN
build spin_wrong locks -DSPIN -DWRONG
build freed freed -DROUNDS=4000
build freed_wrong freed -DWRONG
build freed_twice freed -DTWICE
build looks looks
build some_long some_long
build streams streams
build pipes pipes
build pipes_often pipes -DROUNDS=2000
build slow slow
build lengthens lengthens
build slow_fails slow -DROUNDS=40 -DFAILS
build fails mutex -DROUNDS=11000 -DFAILS
build mutex mutex -DROUNDS=1500
build mutex_wrong mutex -DROUNDS=1500 -DWRONG

search() { (cd "$dir" && simul_run run --strategy windows --json r.json --output out "$@" >said 2>&1); }
value() { json "$dir/r.json" "$1"; }

# finds PROGRAM KIND OPTIONS...: the bug is confirmed, and replays.
finds() {
	search --executions 4000 "${@:3}" -- "$work/$1"
	expect_eq verdict bug "$(value verdict)" && expect_eq kind "$2" "$(value bugs.0.kind)" && expect_eq confirmed true "$(value bugs.0.confirmed)" || return 1
	for n in 1 2 3; do
		simul_run replay "$dir"/out/*.simul >"$dir/replayed" 2>&1
		grep -q "replayed: $2" "$dir/replayed" || { cat "$dir/replayed"; return 1; }
	done
}
# passes PROGRAM OPTIONS...: nothing is found, and two windows at least are finished.
passes() {
	search --executions 1500 "${@:2}" -- "$work/$1"
	expect_eq verdict incomplete "$(value verdict)" && grep -q '^bugs: 0$' "$dir/said" || return 1
	[ "$(value sampling.windows)" -ge 2 ] || { cat "$dir/said"; return 1; }
	grep -qE '^simul: incomplete: .*; windows explored: [0-9]+, of [0-9]+ events on average, each with every single preemption' "$dir/said"
}
for options in "" "--isolation fork" "--threads kernel" "--seed 5"; do
	# shellcheck disable=SC2086
	{
		run_case "a number is announced too early $options" finds ring_wrong assert $options
		run_case "two sections instead of one $options" finds locks_wrong assert $options
		run_case "the same, spin lock $options" finds spin_wrong assert $options
		run_case "opposite orders, once in 1000 rounds $options" finds mutex_wrong deadlock $options
	}
done
# The first thread takes part, too, and executions are short.
gcc -g -O1 -pthread -o "$work/two" tests/cli/prog/deadlock.c || exit 1
run_case "the first thread takes part" finds two deadlock
# A recording of an older version replays. If it does not, one line says that it is older.
older() {
	local rec version notes
	finds two deadlock || return 1
	rec=$(echo "$dir"/out/*.simul) && version=$(sed -n '1s/.* //p' "$rec") || return 1
	edited "1s/[0-9]*$/$((version - 1))/"
	expect_eq "notes, older" 0 "$notes" && grep -q "replayed: deadlock" "$dir/replayed" || { cat "$dir/replayed"; return 1; }
	edited '/^2 T0 .* lock /s/ lock / unlock /'
	expect_eq "notes, older and different" 1 "$notes" && grep -q "^simul: not replayed" "$dir/replayed" &&
		grep -qx "simul: note: an older simul wrote the recording (format $((version - 1)), now $version), and may have run the same schedule differently; record it again" "$dir/replayed" || { cat "$dir/replayed"; return 1; }
	edited "1s/[0-9]*$/$version/"
	expect_eq "notes, different" 0 "$notes" && grep -q "^simul: not replayed" "$dir/replayed"
}
# edited SED: changes the recording and replays it
edited() {
	sed -i "$1" "$rec" && python3 tests/explain/checksum.py "$rec" && simul_run replay --trust "$rec" >"$dir/replayed" 2>&1
	notes=$(grep -c "an older simul wrote the recording" "$dir/replayed")
}
run_case "a recording of an older version" older
# Errors in the use of memory are found in slices too: there are hundreds of times as many accesses there as in windows.
run_case "a block is read after it was freed" finds freed_wrong memory
run_case "the same, kernel threads" finds freed_wrong memory --threads kernel
run_case "a block is freed twice, after the window" finds freed_twice memory
run_case "blocks are used rightly" passes freed
run_case "a thread that waits gives way soon" passes looks
run_case "a right ring" passes ring
run_case "a right lock" passes locks
run_case "a right spin lock" passes spin
run_case "a right lock, forked" passes locks --isolation fork
run_case "a right lock, kernel threads" passes locks --threads kernel

# The report shows the switch in the window, and neither slices nor their switches.
report() {
	finds ring_wrong assert --jobs 1 --seed 2 && grep -qE '^»[ !]*[0-9]+ │.*(load|update|store|give-way)' "$dir/said" || return 1
	local rows
	rows=$(grep -c 'give-way' "$dir/said")
	[ "$rows" -le 8 ] || { echo "$rows rows of slices"; cat "$dir/said"; return 1; }
	grep -qE 'steps, [0-9] preemptions?;' "$dir/said" || { cat "$dir/said"; return 1; }
}
run_case "report" report

# Equal seeds, equal executions.
again() {
	search --jobs 1 --executions 300 --seed 9 -- "$work/locks"
	local events
	events=$(value events)
	[ "$events" -gt 300 ] || return 1
	search --jobs 1 --executions 300 --seed 9 -- "$work/locks"
	expect_eq events "$events" "$(value events)"
}
run_case "the same seed again" again

# Executions that start from a snapshot at their window are those that start at the checkpoint.
sampled() { python3 -c 'import json,sys; r=json.load(open(sys.argv[1])); print(json.dumps([r["sampling"], r["events"]], sort_keys=True))' "$dir/r.json"; }
snapshots() {
	local all="--isolation fork --jobs 1 --seed $1 --executions 700" without
	# shellcheck disable=SC2086
	{
		search $all --no-snapshots -- "$work/$2"
		without=$(sampled)
		expect_eq "executions from snapshots" 0 "$(value from_snapshots)" || return 1
		[ "$(value sampling.windows)" -ge 1 ] && [ "$(value sampling.ended_after_window)" -ge "$3" ] || { cat "$dir/said"; return 1; }
		SIMUL_TEST_SNAPSHOTS=1 SIMUL_TEST_TRIAL=keep search $all -- "$work/$2"
		[ "$(value from_snapshots)" -ge 200 ] && expect_eq "the search" "$without" "$(sampled)" || return 1
		# the same in processes that are rewound to the window
		SIMUL_TEST_SNAPSHOTS=1 SIMUL_TEST_TRIAL=keep search $all --isolation auto -- "$work/$2"
		[ "$(value from_snapshots)" -ge 200 ] && [ "$(value rewound)" -ge 200 ] && expect_eq "the search, rewound" "$without" "$(sampled)"
	}
}
run_case "executions start at windows" snapshots 3 locks 0
run_case "executions start at windows, some end soon after them" snapshots 4 ring 1
run_case "executions start at windows, with other descriptors and memory" snapshots 5 streams 0
run_case "executions start at windows, with pipes" snapshots 6 pipes 0

# Windows are smaller where executions have many operations on descriptors: with two threads each event has one preemption.
smaller() {
	local events
	search --jobs 1 --executions 150 -- "$work/pipes_often"
	events=$(($(value sampling.window_events) / $(value sampling.windows))) || { cat "$dir/said"; return 1; }
	echo "$events events in a window"
	[ $events -ge 4 ] && [ $events -le 20 ]
}
# Executions that become much longer than the one in slices end. Those in slices, at most one in twenty here, go on until --max-steps.
lengthened() {
	search --jobs 1 --executions 1000 -- "$work/lengthens"
	echo "$(value cut) cut"
	[ "$(value cut)" -le 50 ] && [ "$(value sampling.ended_after_window)" -ge 50 ] || { cat "$dir/said"; return 1; }
}
run_case "executions that become much longer end" lengthened
run_case "windows are smaller where executions have many system calls" smaller

# The default strategy goes on with windows where no execution ends. It names the loop.
default() { (export SIMUL_TEST_LENGTHY="${LENGTHY-2000}"; cd "$dir" && simul_run run --json r.json --output out "$@" >said 2>&1); }
goes_on() {
	default --executions 700 -- "$work/ring"
	expect_eq verdict incomplete "$(value verdict)" && expect_eq strategy windows "$(value strategy)" || return 1
	[ "$(value sampling.windows)" -ge 1 ] && [ "$(value sampling.operations)" -ge 200000 ] && [ -n "$(value strategy_reason)" ] || { cat "$dir/said"; return 1; }
	grep -qE '^simul: note: .*; [0-9]+ % of the events in (sender|receiver) \(ring\.c:[0-9]+\)\. The search goes on with windows' "$dir/said" &&
		grep -qE '^simul: note: the first execution in slices made about [0-9.]+( million)? operations and accesses to memory, in [0-9.]+ s; slices that a waiting loop ends early count whole$' "$dir/said" &&
		grep -qE '^simul: incomplete: .*; windows explored: [0-9]+, of [0-9]+ events on average, each with every single preemption.*; the shortest execution in slices made about [0-9.]+( million)? operations' "$dir/said" ||
		{ cat "$dir/said"; return 1; }
}
finds_by_default() {
	default --executions 4000 -- "$work/ring_wrong"
	expect_eq verdict bug "$(value verdict)" && expect_eq kind assert "$(value bugs.0.kind)" && expect_eq confirmed true "$(value bugs.0.confirmed)" &&
		expect_eq strategy windows "$(value strategy)" || return 1
	simul_run replay "$dir"/out/*.simul >"$dir/replayed" 2>&1
	grep -q "replayed: assert" "$dir/replayed" || { cat "$dir/replayed"; return 1; }
}
# A saved search continues with windows.
continues() {
	default --resume state --executions 100 -- "$work/ring"
	expect_eq strategy windows "$(value strategy)" && expect_eq executions 100 "$(value executions)" || return 1
	default --resume state --executions 100 -- "$work/ring"
	expect_eq strategy windows "$(value strategy)" && expect_eq executions 200 "$(value executions)" && ! grep -q "goes on" "$dir/said" || { cat "$dir/said"; return 1; }
}
# Where windows are not supported, the search stays as it is.
stays() {
	default --time 8s --patience 1s -- "$work/ring"
	expect_eq strategy auto "$(value strategy)" && ! grep -q "goes on" "$dir/said"
}
# Some executions end, and most do not: threads come before the flag is set.
most() {
	default --time 20s -- "$work/some_long"
	expect_eq strategy windows "$(value strategy)" && grep -qE '^simul: note: [0-9]+ of [0-9]+ executions did not end \(--max-steps\)' "$dir/said" || { cat "$dir/said"; return 1; }
}
# The note says how many executions were cut, and the summary counts these apart from those with windows.
were_cut() {
	local cut
	default --executions 20 --max-steps 5500 -- "$work/ring"
	cut=$(sed -nE 's/^simul: note: ([0-9]+) executions? (was|were) cut after 5500 events \(--max-steps\)[;.].*/\1/p' "$dir/said")
	[ "${cut:-0}" -ge 1 ] && grep -qx "executions before windows, counted apart: $cut ($cut cut)" "$dir/said" &&
		[[ $(value strategy_reason) == "$cut execution"*" cut after 5500 events (--max-steps)"* ]] || { cat "$dir/said"; return 1; }
}
# The first execution in slices takes longer than the search.
first_runs_on() {
	search --time 1s -- "$work/slow"
	expect_eq verdict incomplete "$(value verdict)" && grep -qx "windows: none finished" "$dir/said" &&
		grep -qE '^simul: incomplete: time budget used up in the first execution in slices, after [1-9][0-9]* events, no bug' "$dir/said" &&
		! grep -q "had 0 events" "$dir/said" || { cat "$dir/said"; return 1; }
}
run_case "the first execution in slices does not end" first_runs_on
# A long first execution fails. While its bug is replayed, the search does not go on with windows.
first_fails() {
	LENGTHY=500 default -- "$work/fails"
	expect_eq verdict bug "$(value verdict)" && grep -qx "bugs: 1" "$dir/said" || return 1
	grep -q "strategy windows" "$dir/said" || # this machine is so busy that it did not fail before
		{ expect_eq end bug "$(value end)" && ! grep -q "goes on" "$dir/said"; } || { cat "$dir/said"; return 1; }
}
# The first execution in slices fails: no note adds the time of the replays to that of the execution.
first_in_slices_fails() {
	LENGTHY=0 default --time 30s -- "$work/fails"
	expect_eq verdict bug "$(value verdict)" && ! grep -q "note: the first execution in slices made" "$dir/said" || { cat "$dir/said"; return 1; }
}
# Replays of a bug go on after --time: a note says so.
late() {
	local seconds
	for seconds in 1 2 4 8 16 32; do # the first execution ends, on a busy machine, too
		SIMUL_TEST_CONFIRM=600 search --time "${seconds}s" -- "$work/slow_fails"
		[ "$(value verdict)" = bug ] && break
	done
	expect_eq verdict bug "$(value verdict)" && grep -qx "simul: note: the time budget is used up; a bug was found, and replays confirm and explain it" "$dir/said" || { cat "$dir/said"; return 1; }
}
run_case "replays of a bug go on after --time" late
run_case "a long first execution fails" first_fails
run_case "the first execution in slices fails" first_in_slices_fails
run_case "the default goes on with windows" goes_on
run_case "the default goes on with windows after executions that were cut" were_cut
# Executions that end, and are too long for the memory of the search.
out_of_memory() {
	default --jobs 1 --time 8s --memory 16M -- "$work/mutex"
	grep -q 'note: executions of up to [0-9]* events use up the memory of the search' "$dir/said" &&
		expect_eq strategy windows "$(value strategy)" && [ "$(value sampling.windows)" -ge 1 ] || { cat "$dir/said"; return 1; }
}
run_case "the default goes on with windows if memory is used up" out_of_memory
run_case "the default goes on with windows if most executions do not end" most
run_case "the default finds a bug in windows" finds_by_default
run_case "the default continues with windows" continues
run_case "the default stays with --patience" stays
# Two workers share the budget, and have windows of their own.
shared() {
	export SIMUL_TEST_SHARE_AT_ONCE=1
	search --jobs 2 --executions 600 -- "$work/ring"
	expect_eq jobs "2 null" "$(value jobs) $(value jobs_reason)" && expect_eq executions 600 "$(value executions)" || return 1
	[ "$(value sampling.windows)" -ge 1 ] || { cat "$dir/said"; return 1; }
}
# A saved search of two workers continues with two.
shared_continues() {
	export SIMUL_TEST_SHARE_AT_ONCE=1
	search --jobs 2 --resume state --executions 60 -- "$work/ring"
	expect_eq jobs 2 "$(value jobs)" && expect_eq executions 60 "$(value executions)" || return 1
	search --jobs 2 --resume state --executions 60 -- "$work/ring"
	expect_eq jobs 2 "$(value jobs)" && expect_eq executions 120 "$(value executions)" || return 1
	search --jobs 1 --resume state --executions 60 -- "$work/ring"
	expect_eq jobs 1 "$(value jobs)" && expect_eq executions 180 "$(value executions)"
}
run_case "two workers" shared
run_case "two workers continue" shared_continues
run_case "two workers find a bug" finds ring_wrong assert --jobs 2
refused() { # WHAT OPTIONS...
	search "${@:2}" -- "$work/locks" && return 1
	grep -qF -- "--strategy windows does not support $1" "$dir/said" || { cat "$dir/said"; return 1; }
}
# Without a second thread there is nothing to say about windows.
alone() {
	search -- /bin/true && return 1
	grep -q '^simul: nothing to explore: ' "$dir/said" && ! grep -q windows "$dir/said" || { cat "$dir/said"; return 1; }
}
run_case "one thread" alone
run_case "refused: tso" refused "another --model than sc" --model tso
run_case "refused: --fail-on-race" refused "--fail-on-race" --fail-on-race
run_case "refused: --patience" refused "--patience" --patience 1s
finish
