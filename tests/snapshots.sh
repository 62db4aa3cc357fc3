#!/bin/bash
# Snapshots inside the tree (preload/life/snapshot.h): executions that start from them give the same results and counts as executions from
# the checkpoint. SIMUL_TEST_SNAPSHOTS=N makes one every N events at most, at any cost.
#
#   tests/snapshots.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite snapshots
# shellcheck disable=SC2034
only=${1-} isolation=fork every=SIMUL_TEST_SNAPSHOTS middle=from_snapshots hows=
. tests/middle.sh

# The kernel decides when a child process ends, so the number of executions varies.
process() { search every2 "$work/bin/state process" && expect_eq bugs 0 "$(value every2 bugs.#)"; }

printed() { prints && some every1; }

# Without an option: executions that take much longer than a fork, even from a point on, start from snapshots, and simul forks instead of rewinding.
auto() {
	simul_run run --strategy optimal --jobs 1 --json "$dir/r.json" -- "$work/bin/computes" 60000000 >"$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
	grep -q "^isolation: fork: executions take long" "$dir/log" || { grep isolation "$dir/log"; return 1; }
	expect_eq executions 20 "$(json "$dir/r.json" executions)" && some r
}

# --no-snapshots turns snapshots off.
never() {
	simul_run run --strategy optimal --isolation fork --jobs 1 --no-snapshots --json "$dir/r.json" -- "$work/bin/computes" 200000 >"$dir/log" 2>&1
	expect_eq "from snapshots" 0 "$(json "$dir/r.json" from_snapshots)" && expect_eq executions 20 "$(json "$dir/r.json" executions)"
}

# ---- the trial (preload/life/snapshot_trial.h): 4 executions without snapshots, 16 with them, the others as it finds ----

# tried VERDICT HOW PROGRAM OPTIONS...: the result of a search whose trial finds VERDICT (end or keep), with a snapshot before every 2nd event
tried() {
	local verdict=$1
	shift
	mkdir -p "$dir/$1.d"
	( cd "$dir/$1.d" && SIMUL_TEST_TRIAL=$verdict SIMUL_TEST_SNAPSHOTS=2 \
		simul_run run --keep-going --output "$dir/$1.out" --json "$dir/$1.json" "${@:3}" -- $2 ) >"$dir/$1.log" 2>&1
	[ -s "$dir/$1.json" ] || { cat "$dir/$1.log"; return 1; }
}

# between LEAST MOST HOW WHAT
between() {
	local n
	n=$(value "$3" "$4")
	[ "$n" -ge "$1" ] && [ "$n" -le "$2" ] || { echo "$3: $4 is $n, not $1 to $2"; return 1; }
}

# Every trace is executed once, whatever the trial finds, and whether executions were rewound before.
trial() {
	local traces=$1 verdict isolation how
	for verdict in end keep; do
		for isolation in auto fork; do
			how=$verdict-$isolation
			tried $verdict $how "$2" --strategy optimal --jobs 1 --isolation $isolation || return 1
			expect_eq "traces, $how" "$traces" "$(value $how distinct_traces)" && expect_eq "executions, $how" "$traces" "$(value $how executions)" &&
				expect_eq "verdict, $how" complete "$(value $how verdict)" || return 1
		done
	done
}

# Snapshots end with the trial, and executions are rewound again; or executions start from them to the end.
trial_counts() {
	trial 120 "$work/bin/many" || return 1
	between 1 16 end-fork from_snapshots && between 1 16 end-auto from_snapshots && between 40 116 keep-fork from_snapshots && between 40 116 keep-auto from_snapshots || return 1
	# one process before the trial and few after it, which copy new pages
	between 60 104 end-auto rewound && expect_eq isolation rewind "$(value end-auto isolation)" && expect_eq reason null "$(value end-auto isolation_reason)" || return 1
	between 1 4 keep-auto rewound && expect_eq isolation fork "$(value keep-auto isolation)" && expect_eq "rewound by fork" 0 "$(value end-fork rewound)"
}

# Points at which rewound executions start come back too.
trial_points() {
	export SIMUL_TEST_POINTS=3
	tried end r "$work/bin/many" --strategy optimal --jobs 1 && expect_eq traces 120 "$(value r distinct_traces)" && between 1 16 r from_snapshots &&
		between 100 1000000 r restored_events
}

# Tests that say where snapshots are made, and the options that turn them off, leave nothing to try.
trial_not() {
	local options
	SIMUL_TEST_SNAPSHOTS=2 simul_run run --strategy optimal --jobs 1 --isolation fork --json "$dir/f.json" -- "$work/bin/many" >"$dir/log" 2>&1
	between 60 119 f from_snapshots || return 1
	for options in --no-snapshots "--isolation rewind" "--isolation exec --executions 40" "--strategy random --executions 60"; do
		# shellcheck disable=SC2086
		tried keep n "$work/bin/many" --jobs 1 --strategy optimal $options && expect_eq "from snapshots, $options" 0 "$(value n from_snapshots)" || return 1
	done
}

# Each worker has a trial of its own, and one that joins the search later begins its own.
trial_workers() {
	local verdict
	for verdict in end keep; do
		SIMUL_TEST_SHARE_AT_ONCE=1 tried $verdict $verdict "$work/bin/many" --strategy optimal --jobs 3 || return 1
		expect_eq jobs 3 "$(value $verdict jobs)" && expect_eq traces 120 "$(value $verdict distinct_traces)" || return 1
		tried $verdict late "$work/bin/more" --strategy optimal --jobs 2 || return 1
		expect_eq traces 720 "$(value late distinct_traces)" || return 1
	done
}

# A search is saved before, during and after the trial, and continued. A trial that was not decided begins again.
trial_resumed() {
	local verdict n
	for verdict in end keep; do
		for n in 3 10 50; do
			tried $verdict 1 "$work/bin/many" --strategy optimal --jobs 1 --executions $n --resume "$dir/$verdict$n" &&
				tried $verdict 2 "$work/bin/many" --strategy optimal --jobs 1 --resume "$dir/$verdict$n" || return 1
			expect_eq "traces, $verdict after $n" 120 "$(value 2 distinct_traces)" && expect_eq "executions, $verdict after $n" 120 "$(value 2 executions)" || return 1
			if [ $verdict = keep ]; then
				between 40 116 2 from_snapshots || return 1
			else
				between 1 $((n == 10 ? 24 : 16)) 2 from_snapshots && expect_eq isolation rewind "$(value 2 isolation)" && between 60 110 2 rewound || return 1
			fi
		done
	done
}

# Bugs and the ends of processes, in the middle of the trial and after it.
trial_same() { # PROGRAM VERDICT
	tried end end "$1" --strategy optimal --jobs 1 && tried keep keep "$1" --strategy optimal --jobs 1 && search whole "$1" || return 1
	local k how
	for how in end keep; do
		for k in verdict executions distinct_traces blocked cut events bugs.#; do
			expect_eq "$k, $how" "$(value whole $k)" "$(value $how $k)" || return 1
		done
	done
	expect_eq verdict "$2" "$(value whole verdict)"
}

# Measured, in executions of which the next ones repeat nearly all: snapshots are kept.
trial_measured() {
	simul_run run --strategy optimal --isolation fork --jobs 1 --executions 60 --json "$dir/r.json" -- "$work/bin/computes" 2500000 8 >"$dir/log" 2>&1
	expect_eq executions 60 "$(value r executions)" && between 40 55 r from_snapshots
}

# kill_one N: kills the Nth process of the tree. Nothing is left behind.
kill_one() {
	start_many "snapmany$1"
	await_processes "snapmany$1" 8
	kill -9 "$(pgrep -x "snapmany$1" | sed -n "$1p")" || return 1
	wait $pid
	[ -z "$(pgrep -x "snapmany$1")" ] || { echo "left behind: $(pgrep -x "snapmany$1")"; return 1; }
}

trial_killed() { SIMUL_TEST_TRIAL=keep killed 120 "$1"; }

build "$work/bin/computes" tests/snapshots/computes.c || exit 1
build "$work/bin/many" -DN=5 -DR=1 tests/golden/mutex.c || exit 1
build "$work/bin/more" -DN=6 -DR=1 tests/golden/mutex.c || exit 1

new_case auto auto
new_case never never
new_case "trial: counts" trial_counts
new_case "trial: points" trial_points
new_case "trial: none" trial_not
new_case "trial: workers" trial_workers
new_case "trial: a saved search" trial_resumed
new_case "trial: measured" trial_measured
new_case "trial: process 4 is killed" trial_killed 4
for what in assert crash exit deadlock; do of_many 2 "trial fails by $what" && new_case "trial: fails again by $what" trial_same "$work/bin/refails $what" bug; done
for what in offset pipe file rename; do of_many 2 "trial state $what" && new_case "trial: state, $what" trial_same "$work/bin/state $what" complete; done
while IFS=$'\t' read -r name source defines sc _; do
	[ "$sc" -ge 30 ] && [ "$sc" -le 200 ] && of_many 6 "trial $name" || continue
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	build "$work/bin/trial_$name" $defines tests/golden/"$source" && new_case "trial: $name" trial "$sc" "$work/bin/trial_$name"
done < <(grep -v '^name' tests/golden/golden.tsv)
new_case "what was printed" printed
for what in offset late_offset pipe eventfd epoll directory; do new_case "state: $what" state $what yes; done
new_case "state: process" process
for what in shared file rename socket lock oneshot edge; do new_case "state: $what" state $what; done
ends_and_fails
new_case "three workers" shared
for n in 1 3 6; do new_case "process $n is killed" killed 120 $n; done
golden 24 8
finish
