#!/bin/bash
# --jobs: several workers find the same counts, bugs and verdict as one. Most searches here are too short for several workers, so
# SIMUL_TEST_SHARE_AT_ONCE shares them from the first execution on, and all workers wait until the last one has started.
#
#   tests/jobs.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite jobs
only=${1-}

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }
build() { gcc -g -O1 -D_GNU_SOURCE -pthread -o "$@" || run_case "$1 compiles" false; }

# search JOBS PROGRAM OPTIONS...: writes the result to JOBS.json and the output to JOBS.log
search() {
	local jobs=$1 prog=$2
	shift 2
	mkdir -p "$dir/$jobs.d"
	show_cmd "$SIMUL run --keep-going --jobs $jobs $* -- $prog"
	# shellcheck disable=SC2086
	( cd "$dir/$jobs.d" && SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --strategy optimal --keep-going --jobs "$jobs" --output "$dir/$jobs.out" \
		--json "$dir/$jobs.json" "$@" -- $prog ) >"$dir/$jobs.log" 2>&1
	echo $? >"$dir/$jobs.status"
	[ -s "$dir/$jobs.json" ] || { cat "$dir/$jobs.log"; return 1; }
}

value() { json "$dir/$1.json" "$2"; }

# shared N: there were N workers, and no reason to use fewer
shared() { expect_eq jobs "$1 null" "$(value "$1" jobs) $(value "$1" jobs_reason)"; }

# alone N TEXT: result N had one worker, for this reason
alone() {
	expect_eq jobs 1 "$(value "$1" jobs)" && [[ $(value "$1" jobs_reason) =~ $2 ]] && grep -q "^jobs: 1, not $1: .*$2" "$dir/$1.log" && return 0
	echo "reason: $(value "$1" jobs_reason)"
	grep ^jobs "$dir/$1.log"
	return 1
}

# same N PROGRAM OPTIONS...: N workers give the same result as one, in whatever order they find things
same() {
	local n=$1 k
	shift
	search 1 "$@" && search "$n" "$@" && shared "$n" || return 1
	expect_eq "exit status" "$(cat "$dir/1.status")" "$(cat "$dir/$n.status")" || return 1
	for k in verdict executions distinct_traces cut bugs.#; do
		expect_eq $k "$(value 1 $k)" "$(value "$n" $k)" || return 1
	done
	# The number of redundant executions depends on what is known when they start.
	[ "$(value 1 blocked)$(value "$n" blocked)" != 00 ] || expect_eq events "$(value 1 events)" "$(value "$n" events)" || return 1
	expect_eq "how often the bugs were seen" "$(grep -o ', seen [0-9]* time' "$dir/1.log" | sort)" "$(grep -o ', seen [0-9]* time' "$dir/$n.log" | sort)" &&
		expect_eq "the bugs" "$(kinds 1)" "$(kinds "$n")" &&
		expect_eq "recordings" "$(value 1 bugs.#)" "$(find "$dir/$n.out" -name '*.simul' 2>/dev/null | wc -l)"
}

kinds() {
	local k
	for ((k = 0; k < $(value "$1" bugs.#); k++)); do
		echo "$(value "$1" bugs.$k.kind) $(value "$1" bugs.$k.where) $(value "$1" bugs.$k.confirmed)"
	done | sort
}

# ---- counts that others agree on ----

# count N TRACES PROGRAM OPTIONS...
count() {
	local n=$1 traces=$2
	shift 2
	search "$n" "$@" && shared "$n" && expect_eq executions "$traces" "$(value "$n" executions)" &&
		expect_eq "blocked executions" 0 "$(value "$n" blocked)" && expect_eq verdict complete "$(value "$n" verdict)"
}

golden() {
	local name=$1 source=$2 defines=$3 sc=$4 tso=$5 pso=$6 prog=$work/bin/${1//\//_}
	[[ $name == *"$only"* ]] || return 0
	[ "$sc" -gt 1 ] && [ "$sc" -le 1100 ] && [[ $name != *deadlock* ]] && of_many 2 "$name" || return 0
	[ "$defines" = - ] && defines=
	# shellcheck disable=SC2086
	build "$prog" $defines tests/golden/"$source"
	run_case "$name 2" count 2 "$sc" "$prog" --isolation rewind
	[ "$sc" -le 100 ] || run_case "$name 3" count 3 "$sc" "$prog"
	[ "$sc" -ge 20 ] || return 0
	run_case "$name 8" count 8 "$sc" "$prog" --isolation rewind --shuffle 7
	of_many 2 "$name weak" || return 0
	[ "$tso" = - ] || [ "$tso" -gt 1100 ] || run_case "$name tso" count 3 "$tso" "$prog" --model tso
	[ "$pso" = - ] || [ "$pso" -gt 1100 ] || run_case "$name pso" count 4 "$pso" "$prog" --model pso
}

# ---- budgets and stopping ----

# One worker would take ten times as long.
by_itself() {
	simul_run run --strategy optimal --jobs 2 --isolation rewind --executions 20000 --json "$dir/2.json" -- "$work/bin/long" >"$dir/2.log" 2>&1 || return 1
	shared 2 && grep -qx "jobs: 2" "$dir/2.log" && expect_eq executions 20000 "$(value 2 executions)"
}

executions() { search 3 "$work/bin/long" --executions "$1" && shared 3 && expect_eq executions "$1" "$(value 3 executions)" &&
	[[ $(value 3 reason) == "budget of executions used up after $1 execution"?(s) ]]; }

time_budget() { search 3 "$work/bin/long" --time 500ms && shared 3 && [[ $(value 3 reason) == "time budget used up after "* ]] &&
	[ "$(value 3 executions)" -ge 1 ]; }

first_bug() {
	SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --strategy optimal --jobs 3 --output "$dir/out" --json "$dir/3.json" -- "$work/bin/phil" >"$dir/3.log" 2>&1
	expect_eq "exit status" 1 $? && expect_eq bugs 1 "$(value 3 bugs.#)" && expect_eq recordings 1 "$(find "$dir/out" -name '*.simul' | wc -l)" &&
		simul_run replay --quiet "$dir/out"/*.simul
	expect_eq "status of the replay" 1 $?
}

processes() { pgrep -x "$(basename "$1")"; }

# begin PROGRAM OPTIONS...: starts simul in the background and waits until three workers are in the middle of a long search. $pid is simul's process
begin() {
	local prog=$1 n=0
	shift
	SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --strategy optimal --keep-going --jobs 3 --output "$dir/out" --json "$dir/3.json" "$@" -- "$prog" >"$dir/3.log" 2>&1 &
	pid=$!
	while [ "$(processes "$prog" | wc -l)" -lt 6 ] && [ $((n++)) -lt 200 ]; do sleep 0.05; done
	sleep 0.2
}

interrupted() {
	local prog=$dir/int$1
	cp "$work/bin/long" "$prog" && begin "$prog" --isolation rewind
	kill -INT "$(pgrep -f "^$SIMUL run .*$prog\$" | head -1)" || return 1
	wait $pid
	expect_eq "exit status" 0 $? && [[ $(value 3 reason) == "interrupted after "* ]] && shared 3 && [ -z "$(processes "$prog")" ]
}

# A worker is killed. As with one worker, the search continues, and the execution may be reported as a failure that cannot be confirmed. Only a
# worker that is changing the search may not die.
killed() {
	local which=$1 prog tries victim
	for tries in 1 2 3 4 5 6 7; do
		prog=$dir/die${which/\$/n}$tries
		cp "$work/bin/long" "$prog" && begin "$prog" --isolation rewind --executions 20000
		victim=$(pgrep -x "$(basename "$prog")" | sort -n | sed -n "${which}p")
		[ -n "$victim" ] && kill -KILL "$victim" || { wait $pid; continue; } # it had ended already
		wait $pid
		[ -z "$(processes "$prog")" ] || { echo "processes are left"; return 1; }
		grep -q "died while it accounted for it" "$dir/3.log" || break
	done
	[ $tries -lt 7 ] || { echo "nobody died in a good moment"; return 1; }
	[ "$(value 3 bugs.#)" = 0 ] || grep -q "unconfirmed failure" "$dir/3.log" || { cat "$dir/3.log"; return 1; }
	[[ $(value 3 reason) == *"not deterministic"* ]] || expect_eq executions 20000 "$(value 3 executions)"
}

# ---- what ends the sharing ----

news() { same "$1" "$work/bin/late" --isolation "$2" && [ "$(value "$1" learning_executions)" -gt 25 ]; }

late_effect() {
	search 3 "$work/bin/late late.dir" && alone 3 "changes .*/3.d/late.dir" && expect_eq verdict complete "$(value 3 verdict)" || return 1
	search 1 "$work/bin/late late.dir" && expect_eq executions "$(value 1 executions)" "$(value 3 executions)"
}

outside() {
	search 2 "$work/bin/outside $1" && alone 2 "$2" || return 1
	[ "$1" = process ] || expect_eq executions 24 "$(value 2 executions)" # then wait() returns a number that the kernel chooses
}
inside() { search 2 "$work/bin/outside $1" && shared 2 && expect_eq verdict complete "$(value 2 verdict)"; }

inherited() {
	mkdir -p "$dir/3.d"
	echo text >"$dir/text"
	search 3 "$work/bin/outside print" 3<"$dir/text" && alone 3 "has a file open that was open before it started, descriptor 3"
}

# ---- the option ----

refused() {
	local n
	for n in 0 -1 many 65; do
		simul_run run --strategy optimal --jobs "$n" -- "$work/bin/late" >"$dir/log" 2>&1
		expect_eq "exit status of --jobs $n" 2 $? && grep -q "jobs $n: expected a whole number between 1 and 64" "$dir/log" || return 1
	done
}

other_strategy() { search 2 "$work/bin/late" --strategy source && alone 2 "only the strategies auto, optimal, windows and graphs can be shared"; }
other_isolation() { search 2 "$work/bin/late" --isolation exec --executions 30 && alone 2 "with --isolation exec"; }
resumed() { search 3 "$work/bin/late" --resume "$dir/state" && shared 3 && expect_eq verdict complete "$(value 3 verdict)"; }

mkdir -p "$work/bin"
build "$work/bin/late" tests/jobs/late.c
build "$work/bin/inversion" tests/jobs/inversion.c
build "$work/bin/counts" tests/jobs/counts.c
build "$work/bin/outside" tests/jobs/outside.c
build "$work/bin/long" -DN=9 tests/golden/writers.c
build "$work/bin/phil" -DN=5 -DDEADLOCK tests/golden/phil.c

for p in spin_ttas spin_contended cond_baton cond_timed rw_mixed sem_order pipe2 heap_queue; do
	[[ $p == *"$only"* ]] || continue
	build "$work/bin/$p" tests/litmus/$p/$p.c
	run_case "$p" same 3 "$work/bin/$p" --isolation rewind
done
new_case "one bug" same 3 "$work/bin/phil"
new_case "one bug rewound" same 8 "$work/bin/phil" --isolation rewind
new_case "the first bug" first_bug
new_case "by itself" by_itself
new_case "budget of executions 1" executions 1
new_case "budget of executions 300" executions 300
new_case "budget of time" time_budget
new_case "Ctrl-C" interrupted
new_case "the first process is killed" killed 1
new_case "another process is killed" killed 2
new_case "the last process is killed" killed '$'
new_case "threads that waited at the end" same 3 "$work/bin/inversion" --isolation fork
new_case "waiting loops with limits" same 2 "$work/bin/counts"
new_case "waiting loops with limits rewound" same 5 "$work/bin/counts" --isolation rewind
new_case "news" news 2 fork
new_case "news rewound" news 5 rewind
new_case "a late effect" late_effect
new_case "outside: file" outside file "changes .*/outside.file"
new_case "outside: before the threads" outside "file early" "changes .*/outside.file"
new_case "outside: socket" outside socket "opens sockets"
new_case "outside: process" outside process "starts processes"
new_case "outside: lock" outside lock "locks files"
new_case "outside: semaphore" outside semaphore "opens the named semaphore"
new_case "outside: signal" outside signal "sends signals to other processes"
new_case "outside: inherited" inherited
for what in read null pair print; do new_case "inside: $what" inside $what; done
new_case "wrong numbers" refused
new_case "other strategy" other_strategy
new_case "other isolation" other_isolation
new_case "resume" resumed

while IFS=$'\t' read -r name source defines sc tso pso _; do
	[ "$name" = name ] || golden "$name" "$source" "$defines" "$sc" "$tso" "$pso"
done <tests/golden/golden.tsv
finish
