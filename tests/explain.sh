#!/bin/bash
# Explanations in a report: the values that accesses read and wrote, the experiments with other orders, and their results.
#
#   tests/explain.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite explain
only=${1-}
bin=$work/bin
mkdir -p "$bin"

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }

# record PROGRAM OPTIONS...: $rec is the recording of the first bug, $dir/text what simul show says
record() {
	local prog=$1
	shift
	show_cmd "$SIMUL run $* -- $prog"
	# shellcheck disable=SC2086
	simul_run run --strategy optimal --output "$dir/rec" --json "$dir/r.json" "$@" -- $prog >"$dir/out" 2>&1
	rec=$(json "$dir/r.json" bugs.0.recording) && [ -s "$rec" ] || { cat "$dir/out"; return 1; }
	"$SIMUL" show --all --width 200 "$rec" >"$dir/text"
}

# said TEXT...: the report contains these texts in this order
said() {
	local rest text
	rest=$(<"$dir/text")
	for text in "$@"; do
		[[ $rest == *"$text"* ]] || { echo "the report does not say, or not at this place: $text"; cat "$dir/text"; return 1; }
		rest=${rest#*"$text"}
	done
}

replays() {
	simul_run replay --trust -q --times 3 "$rec" >"$dir/replay" 2>&1
	expect_eq "status of replay" 1 $? && grep -q "3 of 3 times" "$dir/replay" || { cat "$dir/replay"; return 1; }
}

# ---- a bug that is found when the time is over ----

# Naming and explaining do not belong to --time: the report is the same as with time to spare, however slow reading debug information is.
told_fully() {
	local shown
	record "$bin/lock_order" || return 1
	for shown in 1s; do
		rm -r "$dir/rec"
		SIMUL_TEST_SLOW_NAMES=3500 record "$bin/lock_order" --time $shown && said "waits: " "bank[1].lock" "prog.c:28" "Tried: with " || return 1
		! grep "there was no time" "$dir/out" && said "in thread T0.1 (teller)" || return 1
	done
}

# The last row of a program that exits has no line of libc's exit, and the rows of its end are folded.
exits() {
	record "$bin/exits" && said "lock m" "ended " "✗" "exit" && ! grep "│.*exit\.c" "$dir/text" && ! grep "exit\.c" "$dir/out"
}

# ---- values ----

# What a handler's last access found, and where the call stands that the handler interrupted.
handler() {
	local line
	line=$(sed -n '/interrupted/=' tests/explain/handler.c)
	record "$bin/handler" && said "signal-handler" "update n: 0 → 1" "handler.c:" "lock m" "work handler.c:$line"
}

# values OPTION...: the report shows the values that one thread writes and another reads, for types of every size
values() {
	record "$bin/$1" "${@:2}" && replays && said "store byte = 200 " "store half = 65535 " "store word = -3 " "store flags = 0x80000001 " \
		"store wide = 78187493530 " "store where = &cells[2] " "store inside = &cells[1].next " "store call = helper " \
		"store block->id = 77 " "update counter: 0 → 5 " "cas tried = 0 → fails " "cas tried: 0 → 4 " && said "load byte = 200 " \
		"load half = 65535 " "load word = -3 " "load where = &cells[2] " "load block->id = 77 " "update counter: 5 → 1 " "load tried = 4 "
}
in_json() {
	record "$bin/values" && "$SIMUL" show --json "$rec" >"$dir/show.json" || return 1
	local i=0
	while [ "$(json "$dir/show.json" schedule.$i.text)" != "store half = 65535" ]; do i=$((i + 1)) && [ $i -lt 40 ] || return 1; done
	expect_eq before '0x0000 0' "$(json "$dir/show.json" schedule.$i.value_before.hex) $(json "$dir/show.json" schedule.$i.value_before.text)" &&
		expect_eq after '0xffff 65535' "$(json "$dir/show.json" schedule.$i.value_after.hex) $(json "$dir/show.json" schedule.$i.value_after.text)"
}
# Values of types other than plain numbers, and their locations.
types() {
	record "$bin/$1" && replays && said "load ready = false " "store ready = true " "update state: IDLE → BUSY " "store before = BROKEN " \
		"store mode = READ | SHARED " "store odd = 9 " "store letter = 'x' " "store line_end = '\n' " "store small = -7 " "store octet = 120 " \
		"store third = 0.33333334 " "store tenth = 0.1 " "store wide = 2.25 " "store past = -5000000000 " "store hash = 0x9e3779b97f4a7c15 " \
		"store nothing = NULL " "store either = 1056964608 " "store which = &lock " "store queue->state = BUSY " "store queue->load = 0.001 " \
		"update queue->open: false → true " "store queue->head->next = &items[1] " "store queue->level[2] = 12 "
}
bit_fields() { record "$bin/types" && said "store bits = {kind = 5, depth = -2, closed = 1} "; }
cxx_types() {
	record "$bin/$1" && replays && said "load Stack<Job>::uses = 0 " "update Stack<Job>::top_: NULL → heap#2 " \
		"update Stack<Job>::open_: false → true " "update Stack<Job>::state_: idle → running " "store Stack<Job>::weight_ = 1.5 " \
		"store Stack<Job>::last_ = 'z' " "update Stack<Job>::tries_: 0 → 2 " \
		"update Stack<Job>::pair_: {a = 0, b = false} → {a = 3, b = true} " "store total = 9 " "update Stack<Job>::done_: false → true "
}
# Without debug information, and in a recording of a version without types, the report shows the raw numbers.
no_types() {
	record "$bin/types_plain" && said "store ready = 1 " "store before = -1 " "store letter = 120 " && record "$bin/types" && sed -i -e '1s/[0-9]*$/5/' -e '/^type /d' -e '/^word /d' "$rec" && python3 tests/explain/checksum.py "$rec" && replays &&
		"$SIMUL" show --width 200 "$rec" >"$dir/text" && said "store ready = 1 " "store letter = 120 " "store which = &lock "
}
# Forged values in a recording are refused or harmless.
bad_types() {
	record "$bin/types" && cp "$rec" "$dir/good" || return 1
	local bad
	for bad in 's/^type o\([0-9]*\) 0 8 bool -/type o\1 200 8 bool -/' 's/^type o\([0-9]*\) 0 8 bool -/type o\1 0 0 bool -/' \
		's/^type o\([0-9]*\) 0 8 bool -/type o\1 0 16 bool -/' 's/^type o\([0-9]*\) 0 8 bool -/type o\1 0 8 tuple -/' \
		's/^type o[0-9]* 0 8 bool -/type o9999 0 8 bool -/' 's/^type o[0-9]* 0 8 bool -/word 0x1 "A"/' \
		's/^\(type o[0-9]* 0 8 char -\)/\1\nword 0x1 "A"/'; do
		sed "$bad" "$dir/good" >"$rec" && python3 tests/explain/checksum.py "$rec" && ! cmp -s "$rec" "$dir/good" || { echo "nothing changed: $bad"; return 1; }
		"$SIMUL" show "$rec" >"$dir/text" 2>&1
		expect_eq "status with $bad" 2 $? || return 1
	done
}
# A thread sees its own store at once; other threads see it when it reaches memory.
buffered() {
	record "$bin/dekker" --model "$1" && replays && said "store wants[" "] = 1 → buffer" "load wants[" "] = 0 " "wants[" "] = 1 reaches memory (step "
}
# The contents of a freed block belong to the allocator.
freed() {
	record "$bin/freed" && said "store *p = 5 " "store *p" && grep -q "store \*p .*freed.c:13" "$dir/text" && ! grep -q "store \*p =.*freed.c:13" "$dir/text"
}
counts() {
	record "$bin/pipe" && said "fd-write fd#1 → " "fd-read fd#1 → 6 bytes" && said "fd-write fd#1 → 1 byte " && said "fd-write fd#1 → 5 bytes" && replays
}
# Values that differ from one run to the next are no divergence: a recording with wrong values replays.
other_values() {
	record "$bin/values" && sed -i 's/^\(value [0-9]* 0x\)0/\11/' "$rec" || return 1
	grep -q '^value [0-9]* 0x1' "$rec" && python3 tests/explain/checksum.py "$rec" && replays
}
# A recording of the previous version has no values.
version_4() {
	record "$bin/values" && sed -i -e '1s/[0-9]*$/4/' -e '/^\[values\]/,/^$/d' "$rec" && python3 tests/explain/checksum.py "$rec" && replays &&
		"$SIMUL" show --width 200 "$rec" >"$dir/text" && said "store word " && ! grep -q "store word =" "$dir/text"
}

# ---- experiments with other orders ----

model() { sed -n 's/^model /--model /p' "demos/$1/expect"; }

# What the report must say about the orders that were tried; derived by hand from the source of each demo.
tried() {
	case $1 in
	# A teller that gets both locks before the next teller has its first lock breaks the circle.
	lock_order) echo "Tried: with T0.1's \"lock bank[1].lock\" before step 7, or with T0.2's \"lock bank[2].lock\" before step 9, or with T0.3's \"lock bank[0].lock\" before step 5, nothing fails." ;;
	# The wait comes before the signal.
	lost_wakeup) echo "Tried: with step 10 before step 6, nothing fails." ;;
	# The signal wakes main.
	wrong_waiter) echo "Tried: with T0's \"wake-up of box.changed\" before step 19, nothing fails." ;;
	# The other sale comes before the check, or after the sale.
	check_then_act) echo "Tried: with step 9 before step 5, or with step 13 before step 9, nothing fails." ;;
	# The owner of the mutex then unlocks it after it was destroyed.
	use_after_free) echo "Tried: with step 12 before step 11, it fails in another way." ;;
	# Both updates of one thread fall between a load and a store of the other, and are lost. Nothing is lost if both come before the load or after the
	# store. If only one of its stores moves to the other side, the other one is still lost.
	plain_counter) echo "Tried: with step 7 before step 4, or with step 9 before step 6, nothing fails. It also fails with step 9 before step 7." ;;
	# The thread that decrements last closes. Both close if both check after both decrements, in either order.
	double_release) echo "Tried: with step 7 before step 4, or with step 8 before step 6, nothing fails. It also fails with step 6 before step 4." ;;
	seqlock) echo "Tried: with step 8 before step 5, or with step 10 before step 8, nothing fails." ;;
	aba_stack) echo "Tried: with step 9 before step 4, or with step 15 before step 9, nothing fails." ;;
	# As if there were a fence between them.
	dekker) echo "Tried: with the store of step 4 in memory before step 5, nothing fails." ;;
	early_flag) echo "Tried: with the store of step 5 in memory before step 7, nothing fails." ;;
	work_stealing) echo "Tried: with the store of step 5 in memory before step 6, nothing fails." ;;
	esac
}
demos="lock_order lost_wakeup wrong_waiter check_then_act use_after_free plain_counter double_release seqlock aba_stack dekker early_flag work_stealing"

demo() {
	# shellcheck disable=SC2046
	record "$bin/$1" $(model "$1") && "$SIMUL" show --width 1000 "$rec" >"$dir/text" && said "$(tried "$1")" || return 1
	# in a recording with the fewest possible preemptions each one is essential, and the report says so
	"$SIMUL" show --json "$rec" >"$dir/show.json" || return 1
	[ "$(json "$dir/show.json" failure.preemptions)" = 0 ] || grep -qE '^»![ 0-9]*│' "$dir/text"
}
# The diagnosis that looks likely is wrong here: the order of the accesses it names does not matter, and the report says so.
wrong_claim() {
	record "$bin/values_any" && "$SIMUL" show --width 1000 "$rec" >"$dir/text" && said "Likely a" "It also fails with step" && ! grep -q "Tried: with" "$dir/text"
}
# Leaving a thread before a free lock is a preemption, even if the lock is taken when the thread continues.
upgrade() {
	record "$bin/upgrade" && "$SIMUL" show --width 1000 "$rec" >"$dir/text" && said " steps, 1 preemption;" \
		"Likely an atomicity violation: T0.1 was interrupted between two critical sections of lock: it acquired it (upgrade.c:13," "Tried: with step"
}
if_wait() {
	record "$bin/if_wait" && "$SIMUL" show --width 1000 "$rec" >"$dir/text" && said "Likely a wait that is not in a loop: the broadcast of filled" \
		" woke T0.2, but T0.1 acquired lock (if_wait.c:12, step 10) before T0.2 did" "; the condition may be false again, so the thread must check it again. Tried: with step 12 before step 10, nothing fails."
}
untried() { record "$bin/seqlock" --no-minimize && ! grep -qE "Tried:|essential|without this switch" "$dir/text"; }
# Minimizing keeps the experiments of a recording, and adds them to a recording without any.
tried_later() {
	record "$bin/seqlock" --no-minimize && simul_run minimize -q "$rec" >"$dir/out" && "$SIMUL" show --width 1000 "$rec" >"$dir/text" &&
		said "Tried: with step" "nothing fails" && cp "$rec" "$dir/kept" && simul_run minimize -q "$rec" >"$dir/out" && cmp "$rec" "$dir/kept" && replays
}

# ---- narrow windows, no colours ----

# The widest line between the title and the stacks: paths, and the program's own output, are as wide as they are.
widest() { sed -e 1d -e '/^Stack of the failure/,$d' -e '/^Threads at the end/,$d' "$1" | LC_ALL=C.UTF-8 wc -L; }
narrow() {
	local d w
	for d in aba_stack dekker lock_order; do
		# shellcheck disable=SC2046
		record "$bin/$d" $(model $d) || return 1
		for w in 40 60 80 132; do
			"$SIMUL" show --width $w "$rec" >"$dir/text" && [ "$(widest "$dir/text")" -le $w ] || { cat "$dir/text"; return 1; }
			# no part of a value is lost, except words wider than their column
			[ $w = 40 ] || ! grep -q '…' "$dir/text" || { cat "$dir/text"; return 1; }
		done
	done
}
# ---- programs in Rust ----

line_with() { grep -n "$1" tests/explain/rust.c | cut -d: -f1; }

# The locks of std are called what they are to the program, and steps inside std have the program's lines.
rust_deadlock() {
	record "$bin/rust deadlock" && replays && said "cas Mutex depot.items: 0 → 1" "The threads wait for each other" \
		"T0 waits for Mutex depot.log at rust.c:$(line_with 'second of main'), held by T0.1 since step " "T0.1 waits for Mutex depot.items at rust.c:$(line_with 'second of sell'), held by T0 since step" &&
		said "(rust.c:$(line_with 'first of main'))"
}
# The first panic is the bug, with all lines of its message and its thread. That of main follows from it.
rust_panic() {
	record "$bin/rust panic" && said "thread '<unnamed>' panicked at 'assertion failed: \`(left == right)\`; left: \`1\`, right: \`0\`: sold twice', src/depot.rs:41:9; the program exited with status 101" \
		"at depot.rs:41, in thread T0.1 (check)" && expect_eq thread T0.1 "$(json "$dir/r.json" bugs.0.thread)"
}

# A place in a library without lines has the line of the program that called it.
stripped_library() {
	local source=tests/explain/stripped_library.c inner line
	gcc -O1 -fPIC -shared -DLIB -pthread -o "$dir/libinner.so" $source && strip "$dir/libinner.so" &&
		gcc -g -O1 -pthread -o "$dir/prog" $source -L"$dir" -linner -Wl,-rpath,"$dir" && record "$dir/prog" || return 1
	line=$(grep -n 'the line that a user needs' $source | cut -d: -f1)
	inner="lib_enter (stripped_library.c:$line)"
	said "at $inner, in thread T0" "waits: mutex#2" "│ $inner" "T0 waits for mutex#2 at $inner, held by T0.1" && grep -q "deadlock at lib_enter (stripped_library.c:$line) in T0" "$dir/out"
}

# A pipe gets no colours and 100 columns; --color and NO_COLOR decide otherwise.
colours() {
	record "$bin/aba_stack" && "$SIMUL" show "$rec" | cmp - <(NO_COLOR=1 "$SIMUL" show --width 100 "$rec") || return 1
	"$SIMUL" show "$rec" | grep -q $'\033' && return 1
	"$SIMUL" show --color=always "$rec" | grep -q $'\033' && NO_COLOR=1 "$SIMUL" show --color=always "$rec" | grep -q $'\033' || return 1
	# the same text, without colours
	"$SIMUL" show --color=always "$rec" | sed $'s/\033\\[[0-9;]*m//g' | cmp - <("$SIMUL" show "$rec")
}
cut_pipe() { record "$bin/aba_stack" && (set -o pipefail; "$SIMUL" show "$rec" 2>"$dir/err" | head -n 1 >"$dir/first"); [ -s "$dir/first" ] && [ ! -s "$dir/err" ]; }

gcc -g -O1 -pthread -DALL -o "$bin/values" tests/explain/values.c || run_case "values compiles" false
gcc -g -O1 -pthread -o "$bin/exits" tests/explain/exits.c || run_case "exits compiles" false
gcc -g -O1 -pthread -o "$bin/handler" tests/explain/handler.c || run_case "handler compiles" false
gcc -O1 -I. -c -o "$work/std.o" tests/explain/std_of_rust.c && gcc -g -O1 -I. -pthread -o "$bin/rust" tests/explain/rust.c "$work/std.o" || run_case "rust compiles" false
gcc -g -O1 -pthread -o "$bin/lock_order" demos/lock_order/prog.c || run_case "lock_order compiles" false
gcc -g -O0 -pthread -o "$bin/freed" tests/explain/freed.c || run_case "freed compiles" false
gcc -g -O1 -pthread -o "$bin/pipe" tests/explain/pipe.c || run_case "pipe compiles" false
gcc -g -O1 -pthread -o "$bin/values_any" tests/explain/values.c || run_case "values_any compiles" false
gcc -g -O1 -fsanitize=thread -pthread -DALL -o "$bin/values_tsan" tests/explain/values.c || run_case "values with tsan compiles" false
gcc -g -O1 -pthread -o "$bin/types" tests/explain/types.c || run_case "types compiles" false
gcc -O1 -pthread -o "$bin/types_plain" tests/explain/types.c || run_case "types without -g compiles" false
clang -g -O0 -pthread -o "$bin/types_clang" tests/explain/types.c || run_case "types with clang compiles" false
for p in upgrade if_wait; do gcc -g -pthread -o "$bin/$p" tests/explain/$p.c || run_case "$p compiles" false; done
g++ -g -pthread -o "$bin/cxx" tests/explain/types.cc || run_case "types in C++ compiles" false
g++ -g -O1 -pthread -o "$bin/cxx_O1" tests/explain/types.cc || run_case "types in C++ with -O1 compiles" false
for d in $demos; do gcc -g -pthread -o "$bin/$d" "demos/$d/prog.c" || run_case "$d compiles" false; done

new_case "a bug that is found when the time is over" told_fully
new_case "the end of a program" exits
new_case "a call that a handler interrupted" handler
new_case "values" values values
new_case "values with -fsanitize=thread" values values_tsan
new_case "values with threads of the kernel" values values --threads kernel
new_case "values with --isolation exec" values values --isolation exec
new_case "values in JSON" in_json
new_case "types" types types
new_case "types with clang" types types_clang
new_case "types of bit fields" bit_fields
new_case "types in C++" cxx_types cxx
new_case "types in C++ with -O1" cxx_types cxx_O1
new_case "types are not known" no_types
new_case "types that do not fit" bad_types
new_case "values under TSO" buffered tso
new_case "values under PSO" buffered pso
new_case "values of what is freed" freed
new_case "values of calls" counts
new_case "values do not matter to a replay" other_values
new_case "values are none in version 4" version_4
for d in $demos; do of_many 2 "tried with $d" && new_case "tried with $d" demo "$d"; done
new_case "tried: a wrong claim" wrong_claim
new_case "a lock that is taken later" upgrade
new_case "a wait without a loop" if_wait
new_case "tried: nothing without minimizing" untried
new_case "tried: by simul minimize" tried_later
new_case "Rust: a deadlock" rust_deadlock
new_case "Rust: a panic" rust_panic
new_case "a stripped library" stripped_library
new_case "narrow windows" narrow
new_case "colours" colours
new_case "a pipe that closes" cut_pipe
finish
