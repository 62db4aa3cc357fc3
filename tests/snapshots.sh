#!/bin/bash
# Snapshots inside the tree (preload/life/snapshot.h): executions that start from them give the same results and counts as executions from
# the checkpoint. SIMUL_TEST_SNAPSHOTS=N makes one every N events at most, at any cost.
#
#   tests/snapshots.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite snapshots
only=${1-}

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }

# shellcheck disable=SC2034
first=whole second=every2
how_options()
{
	unset SIMUL_TEST_SNAPSHOTS
	options="--isolation fork --jobs 1"
	case $1 in
	whole) options="$options --no-snapshots" ;;
	every*) export SIMUL_TEST_SNAPSHOTS=${1#every} ;;
	esac
}
. tests/same.sh

# some HOW: some executions started in the middle
some() { [ "$(value "$1" from_snapshots)" -gt 0 ] || { echo "none from a snapshot"; return 1; }; }

# count TRACES PROGRAM OPTIONS...
count() {
	local traces=$1 how
	shift
	for how in every1 every3; do
		search $how "$@" || return 1
		expect_eq "traces, $how" "$traces" "$(value $how distinct_traces)" && expect_eq "blocked, $how" 0 "$(value $how blocked)" || return 1
		[ "$traces" -lt 4 ] || some $how || return 1
	done
}

golden() {
	local name=$1 source=$2 defines=$3 sc=$4 tso=$5 prog=$work/bin/${1//\//_}
	[ "$sc" -le 24 ] && of_many 8 "$name" || return 0
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	build "$prog" $defines tests/golden/"$source" || { run_case "$name compiles" false; return; }
	new_case "$name" count "$sc" "$prog"
	new_case "$name trust" count "$sc" "$prog" --strategy trust
	new_case "$name source, shuffled" count "$sc" "$prog" --strategy source --shuffle 5
	[ "$tso" -gt 24 ] || new_case "$name tso" count "$tso" "$prog" --model tso
}

# With workers that share the search.
shared() {
	SIMUL_TEST_SNAPSHOTS=2 SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --strategy optimal --keep-going --jobs 3 --isolation fork --output "$dir/out" --json "$dir/3.json" \
		-- "$@" >"$dir/3.log" 2>&1
	expect_eq jobs 3 "$(json "$dir/3.json" jobs)" && expect_eq traces "$traces" "$(value 3 distinct_traces)" && some 3
}

refails() { same "$work/bin/refails $1" && expect_eq verdict bug "$(value whole verdict)"; }
ends() { same "$work/bin/ends $1" && expect_eq verdict complete "$(value whole verdict)"; }

# state WHAT [yes]: no execution sees state that another one keeps outside of its memory
state() { same "$work/bin/state $1" && expect_eq verdict complete "$(value whole verdict)" && { [ "${2-}" != yes ] || some every2; }; }

# The kernel decides when a child process ends, so the number of executions varies.
process() { search every2 "$work/bin/state process" && expect_eq bugs 0 "$(value every2 bugs.#)"; }

prints() {
	local how
	for how in whole every1 every4; do
		search $how "$work/bin/prints" --no-minimize || return 1
		expect_eq "bugs, $how" 1 "$(value $how bugs.#)" || return 1
		"$SIMUL" show --json "$dir"/$how.out/*.simul >"$dir/shown.json" && json "$dir/shown.json" output >"$dir/$how.shown" || return 1
		cmp "$dir/whole.shown" "$dir/$how.shown" || return 1
	done
	grep -q "^5: aabbb" "$dir/every1.shown" || { cat "$dir/every1.shown"; return 1; }
	some every1
}

# Without an option: executions that take much longer than a fork start from snapshots, and simul forks instead of rewinding.
auto() {
	simul_run run --strategy optimal --jobs 1 --json "$dir/r.json" -- "$work/bin/computes" >"$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
	grep -q "^isolation: fork: executions take long" "$dir/log" || { grep isolation "$dir/log"; return 1; }
	expect_eq executions 20 "$(json "$dir/r.json" executions)" && some r
}

# --no-snapshots turns snapshots off.
never() {
	simul_run run --strategy optimal --isolation fork --jobs 1 --no-snapshots --json "$dir/r.json" -- "$work/bin/computes" 200000 >"$dir/log" 2>&1
	expect_eq "from snapshots" 0 "$(json "$dir/r.json" from_snapshots)" && expect_eq executions 20 "$(json "$dir/r.json" executions)"
}

# A process of the tree is killed: the search is still complete, and nothing is left behind. A process that dies while it changes the
# search ends the session with a message; then the test tries again.
killed() {
	local again
	for again in 1 2 3 4 5; do
		kill_one "$1" || return 1
		grep -q "died while it accounted for it" "$dir/log" || break
	done
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq executions 120 "$(json "$dir/r.json" executions)" || { tail -3 "$dir/log"; return 1; }
}
kill_one() {
	local name=snapmany$1 victim pid tries=0
	cp "$work/bin/many" "$dir/$name"
	SIMUL_TEST_SNAPSHOTS=3 simul_run run --strategy optimal --keep-going --no-minimize --isolation fork --jobs 1 --output "$dir/out" --json "$dir/r.json" -- "$dir/$name" >"$dir/log" 2>&1 &
	pid=$!
	while [ "$(pgrep -cx "$name")" -lt 8 ] && [ $((tries++)) -lt 300 ]; do sleep 0.02; done
	victim=$(pgrep -x "$name" | sed -n "$1p")
	kill -9 "$victim"
	wait $pid
	[ -z "$(pgrep -x "$name")" ] || { echo "left behind: $(pgrep -x "$name")"; return 1; }
}

mkdir -p "$work/bin"
for p in ends refails; do build "$work/bin/$p" tests/rewind/$p.c || exit 1; done
for p in state prints computes; do build "$work/bin/$p" tests/snapshots/$p.c || exit 1; done
build "$work/bin/many" -DN=5 -DR=1 tests/golden/mutex.c || exit 1

new_case auto auto
new_case never never
new_case "what was printed" prints
for what in offset late_offset pipe eventfd epoll directory; do new_case "state: $what" state $what yes; done
new_case "state: process" process
for what in shared file rename socket lock oneshot edge; do new_case "state: $what" state $what; done
for how in return exit _exit quick_exit pthread_exit threads; do of_many 3 "ends by $how" && new_case "ends by $how" ends $how; done
for how in assert abort crash divide overflow raise raise_abort exit _exit deadlock; do of_many 3 "fails again by $how" && new_case "fails again by $how" refails $how; done
build "$work/bin/shared" -DN=3 -DR=2 tests/golden/mutex.c || exit 1
traces=90
new_case "three workers" shared "$work/bin/shared"
for n in 1 3 6; do new_case "process $n is killed" killed $n; done
tail -n +2 tests/golden/golden.tsv | while IFS=$'\t' read -r line; do echo "$line"; done >"$work/golden.tsv"
while IFS=$'\t' read -r name source defines sc tso rest; do golden "$name" "$source" "$defines" "$sc" "$tso"; done <"$work/golden.tsv"
finish
