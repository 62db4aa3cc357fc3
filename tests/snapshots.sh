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

# kill_one N: kills the Nth process of the tree. Nothing is left behind.
kill_one() {
	start_many "snapmany$1"
	await_processes "snapmany$1" 8
	kill -9 "$(pgrep -x "snapmany$1" | sed -n "$1p")" || return 1
	wait $pid
	[ -z "$(pgrep -x "snapmany$1")" ] || { echo "left behind: $(pgrep -x "snapmany$1")"; return 1; }
}

build "$work/bin/computes" tests/snapshots/computes.c || exit 1
build "$work/bin/many" -DN=5 -DR=1 tests/golden/mutex.c || exit 1

new_case auto auto
new_case never never
new_case "what was printed" printed
for what in offset late_offset pipe eventfd epoll directory; do new_case "state: $what" state $what yes; done
new_case "state: process" process
for what in shared file rename socket lock oneshot edge; do new_case "state: $what" state $what; done
ends_and_fails
new_case "three workers" shared
for n in 1 3 6; do new_case "process $n is killed" killed 120 $n; done
golden 24 8
finish
