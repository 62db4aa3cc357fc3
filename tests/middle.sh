#!/bin/bash
# For suites of searches whose executions start in the middle of others, with the same results and counts. Sourced after lib.sh. The suite sets
#   only       only the cases whose name contains it run
#   isolation  fork or rewind
#   every      variable of the environment: with N, an execution starts every N events, at any cost
#   middle     what --json calls the number that started in the middle
#   hows       kinds of searches for count, besides every1 and every3

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }

# shellcheck disable=SC2034
first=whole second=every2
# shellcheck disable=SC2154
how_options()
{
	unset "$every"
	options="--isolation $isolation --jobs 1"
	case $1 in
	whole) options="$options --no-snapshots" ;;
	every*) export "$every=${1#every}" ;;
	esac
}
. tests/same.sh

# some HOW: some executions started in the middle
# shellcheck disable=SC2154
some() { [ "$(value "$1" "$middle")" -gt 0 ] || { echo "$middle is 0"; return 1; }; }

# count TRACES PROGRAM OPTIONS...: all searches have as many traces, and block as often; only those by source sets block at all
count() {
	local traces=$1 blocked=0 how
	shift
	[[ " $* " != *" --strategy source "* ]] || blocked=
	# shellcheck disable=SC2154
	for how in every1 every3 $hows; do
		search "$how" "$@" || return 1
		blocked=${blocked:-$(value "$how" blocked)}
		expect_eq "traces, $how" "$traces" "$(value "$how" distinct_traces)" && expect_eq "blocked, $how" "$blocked" "$(value "$how" blocked)" || return 1
		[ "$traces" -lt 4 ] || [[ $how != every* ]] || some "$how" || return 1
	done
}

# golden MOST PART: the golden programs with at most MOST traces; `make test` runs one of PART
golden() {
	local most=$1 part=$2 name source defines sc tso prog
	tail -n +2 tests/golden/golden.tsv >"$work/golden.tsv"
	while IFS=$'\t' read -r name source defines sc tso _; do
		[ "$sc" -le "$most" ] && of_many "$part" "$name" || continue
		[ "$defines" = - ] && defines=
		prog=$work/bin/${name//\//_}
		# shellcheck disable=SC2086
		build "$prog" $defines tests/golden/"$source" || { run_case "$name compiles" false; continue; }
		new_case "$name" count "$sc" "$prog"
		new_case "$name trust" count "$sc" "$prog" --strategy trust
		new_case "$name source, shuffled" count "$sc" "$prog" --strategy source --shuffle 5
		[ "$tso" -gt "$most" ] || new_case "$name tso" count "$tso" "$prog" --model tso
	done <"$work/golden.tsv"
}

# With workers that share the search.
shared() {
	export "$every=2"
	SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --strategy optimal --keep-going --jobs 3 --isolation "$isolation" --output "$dir/out" \
		--json "$dir/3.json" -- "$work/bin/shared" >"$dir/3.log" 2>&1
	expect_eq jobs 3 "$(value 3 jobs)" && expect_eq traces 90 "$(value 3 distinct_traces)" && some 3
}

refails() { same "$work/bin/refails $1" && expect_eq verdict bug "$(value whole verdict)"; }
ends() { same "$work/bin/ends $1" && expect_eq verdict complete "$(value whole verdict)"; }
# state WHAT [yes]: no execution sees state that another one keeps outside of its memory
state() { same "$work/bin/state $1" && expect_eq verdict complete "$(value whole verdict)" && { [ "${2-}" != yes ] || some every2; }; }

prints() {
	local how
	for how in whole every1 every4; do
		search $how "$work/bin/prints" --no-minimize || return 1
		expect_eq "bugs, $how" 1 "$(value $how bugs.#)" || return 1
		"$SIMUL" show --json "$dir"/$how.out/*.simul >"$dir/shown.json" && json "$dir/shown.json" output >"$dir/$how.shown" || return 1
		cmp "$dir/whole.shown" "$dir/$how.shown" || return 1
	done
	grep -q "^5: aabbb" "$dir/every1.shown" || { cat "$dir/every1.shown"; return 1; }
}

# start_many NAME: starts a search of many executions in the background, whose processes are called NAME. Sets `pid`
start_many() {
	cp "$work/bin/many" "$dir/$1"
	export "$every=3"
	simul_run run --strategy optimal --keep-going --no-minimize --isolation "$isolation" --jobs 1 --output "$dir/out" --json "$dir/r.json" \
		-- "$dir/$1" >"$dir/log" 2>&1 &
	pid=$!
}

# await_processes NAME N: until there are that many of them
await_processes() {
	local tries=0
	while [ "$(pgrep -cx "$1")" -lt "$2" ] && [ $((tries++)) -lt 300 ]; do sleep 0.02; done
}

# killed EXECUTIONS N: a process is killed (kill_one N): the search is still complete, each trace once. One that dies while it changes the search ends
# the session with a message; then the test tries again.
killed() {
	local again
	for again in 1 2 3 4 5; do
		rm -f "$dir/r.json"
		kill_one "$2" || return 1
		grep -q "died while it accounted for it" "$dir/log" || break
	done
	expect_eq verdict complete "$(value r verdict)" && expect_eq executions "$1" "$(value r executions)" && expect_eq traces "$1" "$(value r distinct_traces)" ||
		{ tail -3 "$dir/log"; return 1; }
}

ends_and_fails() {
	local how
	for how in return exit _exit quick_exit pthread_exit threads; do of_many 3 "ends by $how" && new_case "ends by $how" ends $how; done
	for how in assert abort crash divide overflow raise raise_abort exit _exit deadlock; do
		of_many 3 "fails again by $how" && new_case "fails again by $how" refails $how
	done
}

mkdir -p "$work/bin"
for p in ends refails; do build "$work/bin/$p" tests/rewind/$p.c || exit 1; done
for p in state prints; do build "$work/bin/$p" tests/snapshots/$p.c || exit 1; done
build "$work/bin/shared" -DN=3 -DR=2 tests/golden/mutex.c || exit 1
