#!/bin/bash
# Points (preload/life/points.h): rewound executions that start in the middle of the last one give the same results and counts as executions that start at the
# checkpoint. SIMUL_TEST_POINTS=N makes one every N events, at any cost.
#
#   tests/points.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite points
# shellcheck disable=SC2034
only=${1-} isolation=rewind every=SIMUL_TEST_POINTS middle=restored_events hows=auto
. tests/middle.sh

# Fewer than 45 of 100 events are executed with a point every 4 events. Without the variable, simul makes points where they pay off.
share() {
	search every4 "$@" && search auto "$@" || return 1
	local events restored
	events=$(value every4 events) restored=$(value every4 restored_events)
	[ $((100 * (events - restored))) -lt $((45 * events)) ] || { echo "$restored of $events events restored"; return 1; }
	some auto
}

# An execution that uses memory only makes at most two system calls besides those that switch threads. The process of the executions is the one that
# calls getrusage most.
calls() {
	local n
	how_options auto
	for n in 200 1200; do
		# shellcheck disable=SC2086
		strace -f -o "$dir/$n.calls" "$SIMUL" run --strategy optimal $options --executions $n --output "$dir/out" -- "$1" >"$dir/$n.log" 2>&1
		awk '{if ($2 ~ /^getrusage/) runs[$1]++; if ($2 !~ /^arch_prctl/) calls[$1]++}
			END {for (p in runs) if (runs[p] > runs[most]) most = p; print calls[most] + 0, runs[most] + 0}' "$dir/$n.calls" >"$dir/$n.sum"
	done
	n=$(($(cut -d' ' -f1 "$dir/1200.sum") - $(cut -d' ' -f1 "$dir/200.sum")))
	echo "$n system calls in 1,000 executions"
	[ "$(cut -d' ' -f2 "$dir/1200.sum")" -ge 1000 ] || { cat "$dir/1200.sum"; return 1; }
	[ "$n" -le 2000 ]
}

# One system call asks about the descriptors of all threads that wait: at most 1.2 for an event, although seven threads wait on average.
asks() {
	local polls events
	strace -f -e trace=poll -o "$dir/polls" "$SIMUL" run --strategy random --jobs 1 --executions 20 --output "$dir/out" --json "$dir/r.json" -- "$work/bin/waiters" >"$dir/log" 2>&1
	polls=$(grep -c 'poll(' "$dir/polls") events=$(value r events)
	echo "$polls polls, $events events"
	[ "$events" -ge 4000 ] && [ $((polls * 5)) -le $((events * 6)) ]
}

# Files from before the checkpoint are made again before an execution that starts at a point.
older_files() { same "$work/bin/older_files $1" && expect_eq verdict complete "$(value every2 verdict)" && some every2; }

# --no-snapshots turns points off.
never() {
	search whole "$1" && expect_eq "restored events" 0 "$(value whole restored_events)"
}

# A search that was saved continues with points of its own.
resumed() {
	how_options every2
	# shellcheck disable=SC2086
	simul_run run --strategy optimal $options --executions 40 --resume "$dir/state" --output "$dir/out" -- "$1" >"$dir/1.log" 2>&1
	# shellcheck disable=SC2086
	simul_run run --strategy optimal $options --resume "$dir/state" --output "$dir/out" --json "$dir/r.json" -- "$1" >"$dir/2.log" 2>&1
	expect_eq traces 90 "$(value r distinct_traces)" && expect_eq executions 90 "$(value r executions)" && some r
}

# kill_one N: kills the process of the executions after 0.N s
kill_one() {
	start_many "pointmany$1"
	await_processes "pointmany$1" 2
	sleep "0.$1"
	pkill -9 -nx "pointmany$1" || { echo "no process to kill"; return 1; }
	wait $pid
}
# A process that is killed between two executions, or that came too late, is not missed. Then the test tries again.
lost_one() {
	local again
	for again in 1 2 3 4 5; do
		killed 40320 "$1" || return 1
		[ "$(value r killed)" -eq 0 ] || return 0
	done
	echo "simul has not noticed the kills"
	return 1
}

build "$work/bin/many" -DN=8 -DR=1 tests/golden/mutex.c || exit 1
build "$work/bin/rounds" -DN=2 -DR=8 tests/golden/mutex.c || exit 1
build "$work/bin/waiters" tests/rewind/waiters.c || exit 1
build "$work/bin/older_files" tests/rewind/older_files.c || exit 1

new_case "three workers" shared
new_case never never "$work/bin/shared"
new_case "share of events" share "$work/bin/rounds"
if command -v strace >/dev/null; then
	new_case "system calls" calls "$work/bin/rounds"
	new_case "system calls that ask for descriptors" asks
fi
new_case "a saved search" resumed "$work/bin/shared"
new_case "what was printed" prints
for what in offset late_offset pipe eventfd epoll directory shared file rename socket lock oneshot edge; do new_case "state: $what" state $what; done
for how in pipe pair eventfd timer epoll flags close; do new_case "older files: $how" older_files $how; done
ends_and_fails
for n in 1 3; do new_case "killed after 0.$n s" lost_one $n; done
golden 120 6
finish
