#!/bin/bash
# Points (preload/life/points.h): rewound executions that start in the middle of the last one give the same results and counts as executions that start at the
# checkpoint. SIMUL_TEST_POINTS=N makes one every N events, at any cost.
#
#   tests/points.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite points
only=${1-}

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }

# shellcheck disable=SC2034
first=whole second=every2
how_options()
{
	unset SIMUL_TEST_POINTS
	options="--isolation rewind --jobs 1"
	case $1 in
	whole) options="$options --no-snapshots" ;;
	every*) export SIMUL_TEST_POINTS=${1#every} ;;
	esac
}
. tests/same.sh

# some HOW: some executions started in the middle
some() { [ "$(value "$1" restored_events)" -gt 0 ] || { echo "no events were restored"; return 1; }; }

# count TRACES PROGRAM OPTIONS...: every1 and every3 make points by number, auto where they pay off
count() {
	local traces=$1 how
	shift
	for how in every1 every3 auto; do
		search $how "$@" || return 1
		expect_eq "traces, $how" "$traces" "$(value $how distinct_traces)" && expect_eq "blocked, $how" 0 "$(value $how blocked)" || return 1
		[ "$traces" -lt 4 ] || [ $how = auto ] || some $how || return 1
	done
}

golden() {
	local name=$1 source=$2 defines=$3 sc=$4 tso=$5 prog=$work/bin/${1//\//_}
	[ "$sc" -le 120 ] && of_many 6 "$name" || return 0
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	build "$prog" $defines tests/golden/"$source" || { run_case "$name compiles" false; return; }
	new_case "$name" count "$sc" "$prog"
	new_case "$name trust" count "$sc" "$prog" --strategy trust
	new_case "$name source, shuffled" count "$sc" "$prog" --strategy source --shuffle 5
	[ "$tso" -gt 120 ] || new_case "$name tso" count "$tso" "$prog" --model tso
}

# Fewer than 45 of 100 events are executed where points pay off.
share() {
	search auto "$@" || return 1
	local events restored
	events=$(value auto events) restored=$(value auto restored_events)
	[ $((100 * (events - restored))) -lt $((45 * events)) ] || { echo "$restored of $events events restored"; return 1; }
}

# An execution that uses memory only makes at most two system calls besides those that switch threads.
calls() {
	local n
	how_options auto
	for n in 200 1200; do
		# shellcheck disable=SC2086
		strace -f -c -o "$dir/$n.calls" "$SIMUL" run --strategy optimal $options --executions $n --output "$dir/out" -- "$1" >"$dir/$n.log" 2>&1
		awk '$1 ~ /^[0-9.]+$/ && $NF !~ /^(arch_prctl|total|wait4|ppoll|poll|epoll_wait|read|clock_nanosleep|futex)$/ {n += $4} END {print n + 0}' "$dir/$n.calls" >"$dir/$n.sum"
	done
	n=$(($(cat "$dir/1200.sum") - $(cat "$dir/200.sum")))
	echo "$n system calls in 1,000 executions"
	[ "$n" -le 2000 ] || { cat "$dir/1200.calls"; return 1; }
}

# With workers that share the search.
shared() {
	SIMUL_TEST_POINTS=2 SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --strategy optimal --keep-going --jobs 3 --isolation rewind --output "$dir/out" --json "$dir/3.json" \
		-- "$@" >"$dir/3.log" 2>&1
	expect_eq jobs 3 "$(json "$dir/3.json" jobs)" && expect_eq traces "$traces" "$(value 3 distinct_traces)" && some 3
}

refails() { same "$work/bin/refails $1" && expect_eq verdict bug "$(value whole verdict)"; }
ends() { same "$work/bin/ends $1" && expect_eq verdict complete "$(value whole verdict)"; }
# state WHAT: no execution sees state that another one keeps outside of its memory
state() { same "$work/bin/state $1" && expect_eq verdict complete "$(value whole verdict)"; }

prints() {
	local how
	for how in whole every1 every4; do
		search $how "$work/bin/prints" --no-minimize || return 1
		expect_eq "bugs, $how" 1 "$(value $how bugs.#)" || return 1
		"$SIMUL" show --json "$dir"/$how.out/*.simul >"$dir/shown.json" && json "$dir/shown.json" output >"$dir/$how.shown" || return 1
		cmp "$dir/whole.shown" "$dir/$how.shown" || return 1
	done
}

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

# The process of the executions is killed: the search is still complete, each trace once.
killed() {
	local name=pointmany$1 pid tries=0
	cp "$work/bin/many" "$dir/$name"
	SIMUL_TEST_POINTS=3 simul_run run --strategy optimal --keep-going --no-minimize --isolation rewind --jobs 1 --output "$dir/out" --json "$dir/r.json" -- "$dir/$name" >"$dir/log" 2>&1 &
	pid=$!
	while [ "$(pgrep -cx "$name")" -lt 2 ] && [ $((tries++)) -lt 300 ]; do sleep 0.02; done
	sleep "0.$1"
	pkill -9 -nx "$name"
	wait $pid
	grep -q "died while it accounted for it" "$dir/log" && return
	expect_eq verdict complete "$(value r verdict)" && expect_eq executions 5040 "$(value r executions)" && expect_eq traces 5040 "$(value r distinct_traces)"
}

mkdir -p "$work/bin"
for p in ends refails; do build "$work/bin/$p" tests/rewind/$p.c || exit 1; done
for p in state prints; do build "$work/bin/$p" tests/snapshots/$p.c || exit 1; done
build "$work/bin/many" -DN=7 -DR=1 tests/golden/mutex.c || exit 1
build "$work/bin/rounds" -DN=2 -DR=8 tests/golden/mutex.c || exit 1
build "$work/bin/shared" -DN=3 -DR=2 tests/golden/mutex.c || exit 1

traces=90
new_case "three workers" shared "$work/bin/shared"
new_case never never "$work/bin/shared"
new_case "share of events" share "$work/bin/rounds"
if command -v strace >/dev/null; then new_case "system calls" calls "$work/bin/rounds"; fi
new_case "a saved search" resumed "$work/bin/shared"
new_case "what was printed" prints
for what in offset late_offset pipe eventfd epoll directory shared file rename socket lock oneshot edge; do new_case "state: $what" state $what; done
for how in return exit _exit quick_exit pthread_exit threads; do of_many 3 "ends by $how" && new_case "ends by $how" ends $how; done
for how in assert abort crash divide overflow raise raise_abort exit _exit deadlock; do of_many 3 "fails again by $how" && new_case "fails again by $how" refails $how; done
for n in 1 3; do new_case "killed after 0.$n s" killed $n; done
tail -n +2 tests/golden/golden.tsv | while IFS=$'\t' read -r line; do echo "$line"; done >"$work/golden.tsv"
while IFS=$'\t' read -r name source defines sc tso rest; do golden "$name" "$source" "$defines" "$sc" "$tso"; done <"$work/golden.tsv"
finish
