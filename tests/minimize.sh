#!/bin/bash
# Minimizing: recordings of the demos' bugs have the fewest switches and preemptions possible, whichever strategy found them. The result
# replays and fails in the same way; a recording that cannot be simplified is unchanged. (tests/unit/test_minimize.c compares with brute
# force.)
#
#   tests/minimize.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite minimize
only=${1-}
bin=$work/bin
mkdir -p "$bin"

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }

# The smallest number of preemptions with which a demo can fail, and why. A switch away from a thread that has ended, is
# blocked, or never moves again is none.
least() {
	case $1 in
	# Each teller stops before its second lock and stays there, deadlocked.
	lock_order) echo 0 ;;
	# main must check before the signal and wait after it, and it is enabled in between.
	lost_wakeup) echo 1 ;;
	# A receiver must wait before main puts its first letter, and main is enabled until then.
	wrong_waiter) echo 1 ;;
	# One counter sells between the other's check and sale.
	check_then_act) echo 1 ;;
	# The user of the object is preempted between looking it up and locking it.
	use_after_free) echo 1 ;;
	# main is preempted before it sets the flag, then the thread between its check of the flag and its wait.
	cxx_shutdown) echo 2 ;;
	# An update is lost between the load and the later store of another thread.
	plain_counter) echo 1 ;;
	# The publishing thread need not continue: the other thread fails.
	double_checked) echo 0 ;;
	# Both count down, then both check: the first thread is preempted in between and checks later.
	double_release) echo 1 ;;
	# The reader reads half, the writer writes, the reader continues.
	seqlock) echo 1 ;;
	# One thread is preempted between its reads and its exchange, and exchanges later. The other is preempted too, and takes a node after that.
	aba_stack) echo 2 ;;
	# Stores wait in their buffers while each thread runs to its end.
	dekker | early_flag | work_stealing) echo 0 ;;
	esac
}

demos="lock_order lost_wakeup wrong_waiter check_then_act use_after_free cxx_shutdown plain_counter double_checked double_release
	seqlock aba_stack dekker early_flag work_stealing"

# The mistake as the README of the demo describes it, and what the diagnosis must say.
diagnosis() {
	case $1 in
	lock_order) echo "cycle T0.1 waits for bank[1].lock at prog.c:28, held by T0.2 since step" ;;
	lost_wakeup) echo "lost-wakeup no thread was waiting when T0.1 did the last signal of c->changed (prog.c:29" ;;
	wrong_waiter) echo "wrong-waiter the last signal of box.changed" ;;
	check_then_act) echo "atomicity was interrupted between two critical sections of flight.lock: it acquired it (prog.c:20" ;;
	use_after_free) echo "after-end T0.2 freed the block (prog.c:59) without waiting for T0.1, which used it after that (prog.c:68" ;;
	cxx_shutdown) echo "lost-wakeup no thread was waiting when T0 did the last signal of" ;;
	plain_counter) echo "atomicity \"load visitors = 0\" (prog.c:15" ;;
	double_checked) echo "order had done \"store settings = heap#1\"" ;;
	double_release) echo "atomicity \"load c->references = 0\" (prog.c:26" ;;
	seqlock) echo "atomicity \"load x = 0\" (prog.c:25" ;;
	aba_stack) echo "aba the compare-and-swap of T0.1 succeeded (prog.c:30" ;;
	dekker) echo "late-store between its store to wants[" ;;
	early_flag) echo "late-store its store to ring.slot[0] (prog.c:27, step 5) and its store to ring.head" ;;
	work_stealing) echo "late-store between its store to deque.bottom" ;;
	esac
}

model() { sed -n 's/^model /--model /p' "demos/$1/expect"; }

build_demo() {
	local cc=gcc src=demos/$1/prog.c
	[ -f "$src" ] || { cc=g++; src=demos/$1/prog.cc; }
	$cc -g -pthread -o "$bin/$1" "$src"
}

# record PROGRAM OPTIONS...: $rec is the recording of the first bug
record() {
	local prog=$1
	shift
	rm -rf "$dir/rec"
	show_cmd "$SIMUL run $* -- $prog"
	# shellcheck disable=SC2086
	simul_run run --output "$dir/rec" --json "$dir/r.json" "$@" -- $prog >"$dir/out" 2>&1
	rec=$(json "$dir/r.json" bugs.0.recording) && [ -s "$rec" ] || { cat "$dir/out"; return 1; }
}

shown() { "$SIMUL" show --json "$rec" >"$dir/show.json" && json "$dir/show.json" "$1"; }

replays() {
	simul_run replay -q --times 5 "$rec" >"$dir/replay" 2>&1
	expect_eq "status of replay" 1 $? && grep -q "5 of 5 times" "$dir/replay" || { cat "$dir/replay"; return 1; }
}

# The failure is the same as before.
same_failure() { expect_eq "signature" "$1" "$(shown failure.signature)"; }

demo() {
	# shellcheck disable=SC2046
	record "$bin/$1" $(model "$1") && replays && expect_eq preemptions "$(least "$1")" "$(shown failure.preemptions)" || return 1
	local want steps
	want=$(diagnosis "$1")
	expect_eq diagnosis "${want%% *}" "$(shown diagnosis.kind)" || return 1
	[[ $(shown diagnosis.text) == *"${want#* }"* ]] || { echo "the diagnosis does not say: ${want#* }"; shown diagnosis.text; return 1; }
	steps=$(shown failure.found.steps) || return 0 # it was not simplified
	[ "$steps" = null ] || grep -q "^  minimized: [0-9]* switch.*, [0-9]* preemption.* -> " "$dir/out"
}

# The recording has the fewest possible preemptions: a search complete up to one less finds no failing trace. (A search with a bound also
# runs traces beyond it, so it may find the bug with a smaller bound.)
bounded() {
	local least k failing
	record "$bin/$1" || return 1
	least=$(shown failure.preemptions)
	for k in $((least - 1)) "$least"; do
		[ "$k" -ge 0 ] || continue
		simul_run run -q --keep-going --no-minimize --strategy trust --preemptions "$k" --output "$dir/bounded" --json "$dir/k.json" \
			-- "$bin/$1" >"$dir/out" 2>&1
		expect_eq "executions with an unknown number of preemptions" 0 "$(json "$dir/k.json" bound_unknown)" || return 1
		failing=$(json "$dir/k.json" failed_within_bound)
		[ "$((failing > 0))" = "$((k == least))" ] || { echo "$failing traces with at most $k preemptions fail; the recording has $least"; return 1; }
	done
}

# A random search finds a failure with thousands of steps and hundreds of preemptions. A few executions remove most of them.
long() {
	simul_run run -q --strategy random --no-minimize --output "$dir/rec" -- "$bin/long" >"$dir/out" 2>&1
	rec=$dir/rec/long-1.simul
	[ "$(shown failure.preemptions)" -gt 100 ] || { echo "nothing to take out"; cat "$dir/out"; return 1; }
	simul_run minimize -q --time 100s --executions 300 "$rec" >"$dir/out" 2>&1 && expect_eq preemptions 1 "$(shown failure.preemptions)" && replays
}
# After Ctrl-C the best schedule so far is the result, and it replays.
# --foreground: else timeout sends the signal twice, and the second time means at once.
stopped() {
	simul_run run -q --strategy random --no-minimize --output "$dir/rec" -- "$bin/long" >"$dir/out" 2>&1
	rec=$dir/rec/long-1.simul
	timeout --foreground -s INT -k 60 2 "$SIMUL" minimize -q --time 100s "$rec" >"$dir/out" 2>&1
	grep -qE '^simul: (minimized|not minimized: nothing)' "$dir/out" && ! grep -q "interrupted" "$dir/out" && replays || { cat "$dir/out"; return 1; }
}
# A bug found by a random search has more to remove.
by_chance() {
	local seed signature steps
	for seed in 1 2; do
		# shellcheck disable=SC2046
		record "$bin/$1" $(model "$1") --strategy random --seed $seed --no-minimize || return 1
		signature=$(shown failure.signature)
		steps=$(shown schedule.#)
		expect_eq "not minimized" null "$(shown failure.found)" || return 1
		simul_run minimize "$rec" >"$dir/out" 2>&1
		expect_eq "status of minimize" 0 $? || { cat "$dir/out"; return 1; }
		same_failure "$signature" && expect_eq "preemptions with seed $seed" "$(least "$1")" "$(shown failure.preemptions)" && replays || return 1
		[ "$(shown failure.found)" = null ] || expect_eq "steps before" "$steps" "$(shown failure.found.steps)" || return 1
	done
}

# Each kind of failure: PROGRAM OPTIONS...
kind() {
	local signature before
	record "$@" --no-minimize || return 1
	signature=$(shown failure.signature)
	before=$(shown failure.preemptions)
	simul_run minimize -q "$rec" >"$dir/out" 2>&1
	expect_eq "status of minimize" 0 $? && grep -qE "^simul: (not )?minimized: " "$dir/out" || { cat "$dir/out"; return 1; }
	same_failure "$signature" && [ "$(shown failure.preemptions)" -le "$before" ] && replays
}

# The number of failing executions. Each counts once, also if the search restarted after a discovery.
share() {
	simul_run run --keep-going --output "$dir/rec" --json "$dir/r.json" -- "$bin/seqlock" >"$dir/out" 2>&1
	local n count
	n=$(json "$dir/r.json" distinct_traces) count=$(json "$dir/r.json" bugs.0.count) || return 1
	tail -n 1 "$dir/out" | grep -qF ", $count of $n traces explored fail in this way; the search is complete" || { tail -n 1 "$dir/out"; return 1; }
	simul_run run --keep-going --strategy exhaustive --output "$dir/rec" --json "$dir/r.json" -- "$bin/seqlock" >"$dir/out" 2>&1
	tail -n 1 "$dir/out" | grep -q ", $(json "$dir/r.json" bugs.0.count) of $(json "$dir/r.json" executions) interleavings explored fail" &&
		[ "$(json "$dir/r.json" bugs.0.count)" -gt "$count" ]
}

# ---- files ----

recorded() {
	cp "$bin/check_then_act" "$dir/prog"
	record "$dir/prog" --no-minimize && cp "$rec" "$dir/kept"
}

# refused STATUS TEXT ARGUMENTS...: simul prints one message and leaves the recording unchanged
refused() {
	local want=$1 text=$2 status
	shift 2
	show_cmd "$SIMUL minimize $*"
	simul_run minimize "$@" >"$dir/out" 2>"$dir/err"
	status=$?
	cat "$dir/out" "$dir/err"
	expect_eq status "$want" $status && expect_eq "lines of message" 1 "$(wc -l <"$dir/err")" && grep -qF -- "$text" "$dir/err" || return 1
	[ ! -f "$dir/kept" ] || cmp "$rec" "$dir/kept"
}

no_file() { refused 2 "no recording given"; }
two_files() { refused 2 "one recording at a time" a b; }
missing() { refused 2 "nothing-1.simul" nothing-1.simul; }
not_one() { refused 2 "not a simul recording" "$bin/seqlock"; }
truncated() { recorded && head -c 2000 "$rec" >"$dir/half.simul" && refused 2 "half.simul" "$dir/half.simul"; }
bad_option() { refused 2 "--executions" --executions 0 x; }
program_gone() { recorded && rm "$dir/prog" && refused 4 "cannot be replayed here" "$rec"; }
program_rebuilt() { recorded && cp "$bin/lock_order" "$dir/prog" && refused 4 "another build" "$rec"; }
not_there_any_more() {
	cp "$bin/flaky" "$dir/prog"
	touch "$dir/flag"
	record "$dir/prog $dir/flag" && cp "$rec" "$dir/kept" && rm "$dir/flag" && refused 4 "does not replay" "$rec"
}
# Every failing execution waits for the timeout.
hang_time=15s
! all_cases || hang_time=90s
hang() {
	record "$bin/fails hang" --hang-timeout 0.3 --strategy random --seed 2 --no-minimize || return 1
	local before
	before=$(shown failure.preemptions)
	simul_run minimize -q --hang-timeout 0.3 --time "$hang_time" "$rec" >"$dir/out" 2>&1
	expect_eq "status of minimize" 0 $? && [ "$(shown failure.preemptions)" -lt "$before" ] || { cat "$dir/out"; return 1; }
	expect_eq kind hang "$(shown failure.kind)" || return 1
	simul_run replay -q --hang-timeout 0.3 "$rec" >"$dir/replay" 2>&1
	expect_eq "status of replay" 1 $?
}
cannot_write() {
	recorded && refused 2 "cannot write" -o /proc/nothing.simul "$rec" || return 1
	mkfifo "$dir/fifo" && refused 2 "not a regular file" -o "$dir/fifo" "$rec" || return 1
	[ -p "$dir/fifo" ] || { echo "the pipe was replaced"; return 1; }
}
other_file() {
	recorded && simul_run minimize -o "$dir/small.simul" "$rec" >"$dir/out" && cmp "$rec" "$dir/kept" || return 1
	grep -q "recording $dir/small.simul" "$dir/out" || return 1
	rec=$dir/small.simul
	replays && [ "$(shown failure.preemptions)" = 1 ] || return 1
	cp "$rec" "$dir/kept"
	simul_run minimize -q "$rec" >"$dir/out" && cmp "$rec" "$dir/kept" && grep -q "^simul: not minimized: nothing simpler than .* found" "$dir/out" &&
		simul_run minimize -q -o "$dir/again.simul" "$rec" >"$dir/out" && rec=$dir/again.simul && replays
}
# One try simplifies nothing, but the recording stays valid.
one_try() { recorded && simul_run minimize -q --executions 1 "$rec" >"$dir/out" && replays; }
no_time() { recorded && simul_run minimize -q --time 1ms "$rec" >"$dir/out" && replays; }

# The process that replaces a killed one only reports the crash. It does not run the same plan again forever.
killed() {
	within 40 "$SIMUL" run --isolation "$1" --strategy optimal --output "$dir" -- "$bin/killed" >"$dir/log" 2>&1
	expect_eq status 1 $? && grep -q "^simul: bug found: crash in T0.1 .* confirmed" "$dir/log" || { tail -3 "$dir/log"; return 1; }
}

# An execution that was killed did not report its objects, and no later execution fails.
killed_once() {
	simul_run run --isolation fork --strategy random --executions 200 --no-minimize --output "$dir" -- "$bin/killed" $$ >"$dir/log" 2>&1
	ipcrm -M $$
	grep -q "NOT confirmed) - recording $dir/killed-1.simul" "$dir/log" || { tail -3 "$dir/log"; return 1; }
	simul_run show "$dir/killed-1.simul" >"$dir/out" && grep -q "lock mutex#" "$dir/out"
}

for d in $demos; do build_demo "$d" || run_case "$d compiles" false; done
gcc -g -O1 -pthread -o "$bin/fails" tests/minimize/fails.c || run_case "fails compiles" false
gcc -g -O1 -pthread -o "$bin/long" tests/minimize/long.c || run_case "long compiles" false
gcc -g -O1 -pthread -o "$bin/flaky" tests/minimize/flaky.c || run_case "flaky compiles" false
gcc -g -O1 -pthread -o "$bin/woken" tests/minimize/woken.c || run_case "woken compiles" false
gcc -g -O1 -pthread -o "$bin/killed" tests/minimize/killed.c || run_case "killed compiles" false
gcc -g -O1 -D_GNU_SOURCE -pthread -o "$bin/robust" tests/cli/prog/robust.c || run_case "robust compiles" false

for d in $demos; do of_many 2 "demo $d" && new_case "demo $d" demo "$d"; done
for d in $demos; do [ -n "$(model "$d")" ] || ! of_many 2 "bounded $d" || new_case "bounded $d" bounded "$d"; done
for d in lock_order check_then_act plain_counter double_release seqlock; do of_many 3 "by chance $d" && new_case "by chance $d" by_chance "$d"; done
for how in crash exit abort deadlock livelock race; do
	new_case "kind $how" kind "$bin/fails $how" --strategy random $([ $how = race ] && echo --fail-on-race)
done
new_case "kind woken from a futex" kind "$bin/woken"
new_case "kind robustness" kind "$bin/robust same" --model tso --robustness
for i in fork exec; do new_case "killed, $i" killed $i; done
new_case killed_once killed_once
new_case "share" share
for c in no_file two_files missing not_one truncated bad_option program_gone program_rebuilt not_there_any_more hang cannot_write \
	other_file one_try no_time long stopped; do
	new_case "$c" $c
done
finish
