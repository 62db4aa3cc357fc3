#!/bin/bash
# Recordings in gdb (`simul replay --gdb`): forward, backward and to the failure with the right source lines, the program's own breakpoints
# in code that simul has rewritten, threads, stepping by lines; --stop-at without gdb; refused options.
. "$(dirname "$0")/lib.sh"
suite gdb

if ! command -v gdb >/dev/null; then
	echo "FAIL gdb: there is no gdb here; nothing was tested. .ci/deps --test installs it."
	echo "0 passed, 1 failed"
	exit 1
fi

# record DEMO FLAGS... [-- RUN OPTION...]: builds it (or the program tests/gdb/DEMO.c) as $dir/prog, records its bug; $arguments are the program's
record() {
	local demo=$1 flags=() source=demos/$1/prog.c
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do flags+=("$1") && shift; done
	[ $# -gt 0 ] && shift
	[ -f "$source" ] || source=tests/gdb/$demo.c
	cp "$source" "$dir/prog.c" && (cd "$dir" && gcc -g -pthread "${flags[@]}" -o prog prog.c) || return 1
	within 60 "$SIMUL" run --strategy optimal -q --output "$dir" "$@" -- "$dir/prog" ${arguments:-} >"$dir/run.txt" 2>&1
	[ $? = 1 ] || { cat "$dir/run.txt"; return 1; }
}

# in_gdb: runs the commands on standard input in gdb on the recording; the output is in $dir/said
in_gdb() {
	cat >"$dir/commands"
	within 110 "$SIMUL" replay --gdb-commands "$dir/commands" "$@" "$dir/prog-1.simul" >"$dir/said" 2>&1
	local status=$?
	[ $status = 0 ] && ! grep -qE 'Python Exception|Traceback|Error in sourced' "$dir/said" && return 0
	cat "$dir/said"
	echo "gdb: exit status $status"
	return 1
}

# says PATTERN...: these extended regular expressions match lines of $dir/said, one after the other
says() {
	awk 'BEGIN { n = ARGC - 2; for (i = 1; i <= n; i++) { want[i] = ARGV[i]; ARGV[i] = "" } at = 1 }
		at <= n && $0 ~ want[at] { at++ }
		END { if (at <= n) { print "not said (in this order): " want[at]; exit 1 } }' "$@" "$dir/said" && return 0
	cat "$dir/said"
	return 1
}

# Line N of a demo's source, as a regular expression that matches gdb's output for it
source_line() { sed -n "$1p" "$dir/prog.c" | sed -E 's/^[[:space:]]*//; s/[][\\.*^$+?(){}|]/./g'; }

# ---- an assertion; the hooks on its memory accesses are patched in ----

back_and_forth() {
	record aba_stack "$1" || return 1
	in_gdb <<-'EOF' || return 1
		backtrace
		info threads
		simul prev
		print b->next
		simul goto 15
		backtrace
		simul next
		simul prev-switch
		simul next-switch
		simul prev 14
		simul schedule 3
		simul failure
	EOF
	says "^simul: the failure: .*Assertion .users == 0' failed" "take .*prog.c:41" "writer .*prog.c:6" '"T0.2 writer"' \
		'^simul: before step 17 of 18, T0.2 writer: cas top: .* .prog.c:30' '^30	' '= .struct buffer' \
		'^simul: before step 15 of 18, T0.1 reader: cas top' 'pop .*prog.c:30' 'reader .*prog.c:55' \
		'^simul: before step 16 of 18, T0.2 writer: load top' '^simul: before step 15 of' '^simul: before step 16 of' \
		'^simul: before step 2 of 18, T0 main: create T0.2' '=> *2 create T0.2 .*main prog.c:78' '^simul: the failure: '
}

own_breakpoints() {
	record aba_stack -O0 || return 1
	in_gdb --stop-at 1 <<-'EOF' || return 1
		break prog.c:pop
		tbreak prog.c:22
		break prog.c:30 if b == &buffers[0]
		info breakpoints
		commands 3
		echo the commands run\n
		end
		continue
		backtrace
		continue
		print b
		disable 1
		continue
		disable 3
		continue
		print old
		simul goto 2
		delete
		break prog.c:41
		run
		print *b
	EOF
	says '^Breakpoint 1, T0.1 reader' 'pop .*prog.c:2[78]' '^#.* reader .*prog.c:55' \
		'^Breakpoint 3, T0.1 reader' 'pop .*prog.c:30' 'the commands run' '= .struct buffer .. 0x[0-9a-f]+ <buffers>' \
		'^Breakpoint 3, T0.2 writer' '^Breakpoint 2, T0.2 writer' '^22	' 'buffers' '^simul: before step 2 of' '^Breakpoint 4, T0.2 writer' 'prog.c:41' '= .next = '
}

inlined_breakpoints() {
	record aba_stack -O2 || return 1
	in_gdb --stop-at 3 <<-'EOF' || return 1
		tbreak prog.c:28
		continue
		backtrace
		break prog.c:41
		continue
		backtrace 2
		print *b
		simul where
	EOF
	says '^simul: before step 3 of 18, T0.1 reader: start' 'T0.1 reader has not started' '^Breakpoint 1, T0.1 reader' '^28	' \
		'^#.* take .*prog.c:37' '^#.* reader .*prog.c:55' '^Breakpoint 2, T0.2 writer' '^41	' '^#.* take .*prog.c:41' '^#.* writer .*prog.c:62' \
		'= .next = 0x'
}

# gdb's next and step stop at the next source line, also in patched code.
by_lines() {
	record aba_stack -O0 || return 1
	in_gdb --stop-at 1 <<-'EOF' || return 1
		start
		next
		next
		step
		next
		next
		next
		finish
		simul goto 13
		finish
		simul goto 13
		next
		next
		finish
	EOF
	says 'main .* at .*prog.c:7[12]' '^75	' '^76	' '^#.* push .*prog.c:19' '^22	' '^23	' '^24	' 'main .*prog.c:76|^75	|^76	' \
		'^simul: before step 13 .*prog.c:22' 'give_back .*prog.c:50|^50	' '^simul: before step 13 .*prog.c:22' "^23	.*$(source_line 23)" '^24	' 'give_back .*prog.c:50'
}

# A jump reaches a place in the old code that the patcher did not foresee. An int3 stands there, and gdb cannot pass it on.
unforeseen() {
	record aba_stack -O0 || return 1
	in_gdb --stop-at 5 <<-'EOF' || return 1
		break prog.c:30
		run
		delete
		set $old = $pc - 1
		frame 0
		set var $pc = $old
		x/i $pc
		simul next
		simul failure
	EOF
	says '^Breakpoint 1, T0.1 reader' '=> 0x.*int3' '^simul: before step 5 of 18' '^simul: the failure: '
}

# ---- a deadlock ----

deadlock() {
	record lock_order -O1 || return 1
	in_gdb <<-'EOF' || return 1
		simul threads
		thread apply all backtrace
		simul goto 1
		break transfer
		info threads
		continue
		run
		backtrace
		print from->owner
		next
		simul failure
		continue
	EOF
	says '^simul: the failure: deadlock' 'T0 main .*main \(' 'T0.1 teller .*transfer ' 'T0.2 teller .*transfer ' \
		'^Thread [0-9]+ ' '^#.* transfer .*prog.c:28' '^#.* teller .*prog.c:4[78]' '^simul: before step 1 of' '"T0 main"' \
		'^Breakpoint 1, T0.[123] teller' 'transfer .*prog.c:2[2-6]' '^Breakpoint 1, T0.' \
		'^#.* transfer .*prog.c:2' '^#.* teller ' '= 0x[0-9a-f]+ "(alice|bob|carol)"' '^2[6-8]	' '^simul: the failure: deadlock' 'exited normally'
}

# ---- store buffers ----

store_buffers() {
	record dekker -O1 -- --model tso || return 1
	in_gdb --stop-at 4 <<-'EOF' || return 1
		print wants[1]
		simul next 3
		print wants[1]
		print balance
		simul next-switch
		simul goto 20
		print wants[1]
		simul prev
		print wants[1]
		break prog.c:45
		simul failure
		simul where
	EOF
	says '^simul: before step 4 of 31, T0.2 clerk: store wants.1. = 1 → buffer' '^21	' '^\$1 = 0' \
		'^simul: before step 7 of 31, T0.2 clerk: store balance = 110 → buffer' 'prog.c:45' '^\$2 = 0' '^\$3 = 100' \
		'^simul: before step 10 of 31, T0.1 clerk: start' '^simul: before step 20 of 31, T0.2 clerk: balance = [0-9]+ reaches memory' '^\$4 = 1' \
		'^simul: before step 19 of 31, T0.2 clerk: wants.1. = 1 reaches memory' '^\$5 = 0' '^simul: the failure: .*balance == 120' 'prog.c:60'
}

# ---- a lost wake-up ----

lost_wakeup() {
	record lost_wakeup -O2 || return 1
	in_gdb <<-'EOF' || return 1
		backtrace
		simul prev
		simul prev-switch
		simul prev-switch
		simul threads
		simul next
		simul next
		print *c
		step
		next
		next
		finish
	EOF
	says '^simul: the failure: deadlock: 1 thread' 'await .*prog.c:39' 'main .*prog.c:64' '^simul: before step 10 of 10, T0 main: wait c->changed' \
		'^simul: before step 9 of 10, T0 main: lock c->lock .prog.c:38' '^simul: before step 4 of 10, T0.1 compute: start' \
		'T0.1 compute .*has not started' '^simul: before step 5 of 10, T0.1 compute: lock' 'complete .*prog.c:26' 'before step 6 of 10' \
		'done = true, result = 55' '^30	' 'compute .*prog.c:5[56]' 'returned from its start routine|simul: the failure'
}

# ---- a crash; watchpoints ----

# The reported place is in the program, in a thread that a futex woke. Watchpoints stop where commands may stop, and not while the process starts.
crash() {
	record woken -O1 || return 1
	"$SIMUL" show --color never "$dir/prog-1.simul" >"$dir/said" && says '│ crashes .*│ waiter prog.c:18$' || return 1
	in_gdb <<-'EOF' || return 1
		simul threads
		info threads
		watch current
		hbreak waiter
		run
		continue
		simul goto 1
		simul failure
	EOF
	says '^simul: the failure: SIGSEGV' '^18	' '^\* T0.1 waiter .*waiter .prog.c:18' '^  T0.2 taker .* has ended' '"T0.2 taker .ended."' \
		'^Old value.*value>' '^New value.*0x0' 'taker .*prog.c:2[67]' '^Breakpoint 2, T0.1 waiter' '^simul: before step 1 of 12' '^simul: the failure: SIGSEGV' '^18	'
}

# main has returned, so the stack has no useful location. The program's output names one.
failing_exit() {
	local arguments=x
	record woken -O1 || return 1
	printf 'break prog.c:20\nrun\nprint now\nquit\n' | in_gdb || return 1
	says '^simul: the failure: the program exited with status 1' "^simul: what it printed names prog.c:20: 'break prog.c:20'" '^Breakpoint 1, T0.1 waiter' '^20	' '= .int .. 0x0' &&
		! grep -q 'No such file\|answered Y' "$dir/said"
}

# ---- without gdb ----

# --stop-at stops a new process with kernel threads. It must fail as recorded, also with shared memory.
stops_and_goes_on() {
	record "$@" || return 1
	local n
	for n in 1 3 5; do
		within 60 "$SIMUL" replay --stop-at $n "$dir/prog-1.simul" >"$dir/said" </dev/null 2>&1
		expect_eq "exit status" 1 $? && says "^Before step $n\." '^  T0$' 'main prog.c:' '^simul: replayed: .* 1 of 1 time$' || return 1
	done
}

tells_stacks() {
	record aba_stack -O0 || return 1
	within 60 "$SIMUL" replay --stop-at 8 "$dir/prog-1.simul" >"$dir/said" </dev/null 2>&1
	says '^Before step 8' '^  T0.1' '^ +pop prog.c:30' '^ +take prog.c:37' '^ +reader prog.c:55' '^  T0.2' '^ +pop prog.c:30' 'Process [0-9]+ waits'
}

# ---- scripts and wrappers ----

# gdb debugs the program that the recorded one becomes by exec. Breakpoints in it stay, also after going back.
becomes() {
	local first
	cp demos/lost_wakeup/prog.c "$dir/" && (cd "$dir" && gcc -g -pthread -o real prog.c) || return 1
	printf '#!/usr/bin/env bash\nls >/dev/null\nexec env LANG=C "%s/real"\n' "$dir" >"$dir/prog" && chmod +x "$dir/prog"
	first=("$dir/prog")
	[ "$1" = script ] || first=(env LANG=C "$dir/real")
	within 60 "$SIMUL" run --strategy optimal -q --output "$dir" -- "${first[@]}" >"$dir/run.txt" 2>&1
	[ $? = 1 ] || { cat "$dir/run.txt"; return 1; }
	[ "$1" = script ] || mv "$dir/env-1.simul" "$dir/prog-1.simul"
	in_gdb <<-'EOF' || return 1
		info symbol main
		break pthread_cond_wait
		run
		bt
		simul goto 2
		info breakpoints
		start
		continue
		simul failure
	EOF
	says '^simul: the failure: ' "^simul: .* starts $dir/real, which" '^main in section .text' '^Breakpoint 1 at' 'hit Breakpoint 1' "await .*prog.c:39" '^simul: before step 2 of' \
		'^1.3 .* y .*pthread_cond_wait' '^Breakpoint 2, T0 main' 'hit Breakpoint 1' '^simul: the failure: '
	[ $? = 0 ] && ! grep -q "another build" "$dir/said" || return 1
	[ "$1" = script ] || return 0
	(cd "$dir" && gcc -g -O1 -pthread -o real prog.c) && { echo "simul where" | in_gdb || true; } >/dev/null && says "another build than the recorded one"
}

# ---- refusals ----

# refused TEXT ARGUMENT...; programs are looked for in $search
refused() {
	local text=$1
	shift
	within 60 env PATH="$search" "$SIMUL" replay "$@" "$dir/prog-1.simul" >"$dir/said" 2>&1 </dev/null
	expect_eq "exit status of $*" 2 $? && expect_eq "lines of $*" 1 "$(wc -l <"$dir/said")" && grep -qF -- "$text" "$dir/said" && return 0
	cat "$dir/said"
	return 1
}

# as_gdb ANSWER: a program named gdb that prints ANSWER, alone in PATH
as_gdb() {
	mkdir -p "$dir/path"
	printf '#!/bin/sh\n%s\n' "$1" >"$dir/path/gdb" && chmod +x "$dir/path/gdb"
}

refusals() {
	local search=$PATH
	record lost_wakeup -O2 || return 1
	refused "the recording has 10 steps" --stop-at 11 && refused "cannot be combined with --gdb" --gdb --times 2 &&
		refused "cannot be combined with --stop-at" --stop-at 2 --times 2 && refused "cannot be read: No such file" --gdb-commands "$dir/none" &&
		refused "is not a regular file" --gdb-commands "$dir" || return 1
	mkdir "$dir/path"
	search=$dir/path refused "which is not installed" --gdb || return 1
	as_gdb 'echo "Python scripting is not supported in this copy of GDB." >&2; exit 1'
	search=$dir/path:$PATH refused "has none" --gdb || return 1
	as_gdb 'echo has False'
	search=$dir/path:$PATH refused "needs gdb 13" --gdb || return 1
	rm "$dir/prog-1.simul" && record aba_stack -O0 && refused "is the failure itself" --stop-at 18
}

# Values are shown in ASCII, unless the user chooses otherwise.
strings() {
	record harm -O0 || return 1
	LC_ALL=C.UTF-8 in_gdb <<-'EOF' || return 1
		print text
		set charset UTF-8
		print text
	EOF
	says '^\$1 = "a\\342\\200\\256\\033.31m\\342\\200\\250 end"$' $'^\\$2 = "a\xe2\x80\xae'
}

# A program of another build is refused as without gdb. Nothing is left behind when gdb dies in the middle.
nothing_left() {
	record aba_stack -O0 || return 1
	echo 'shell kill -KILL $PPID' | in_gdb >/dev/null
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		pgrep -f "^$dir/prog" >/dev/null || return 0
		sleep 0.2
	done
	echo "the program still runs"
	return 1
}

# std::thread without iostream: simul makes libstdc++ initialize its tables before main, with and without a debugger.
cxx() {
	cat >"$dir/prog.cpp" <<-'EOF'
		#include <cassert>
		#include <mutex>
		#include <thread>
		std::mutex m;
		int x;
		int look() { std::lock_guard<std::mutex> held(m); return x; }
		void set(int to) { std::lock_guard<std::mutex> held(m); x = to; }
		void add() { set(look() + 1); }
		int main()
		{
			std::thread a(add), b(add);
			a.join();
			b.join();
			assert(x == 2);
		}
	EOF
	g++ -g -O1 -pthread -o "$dir/prog" "$dir/prog.cpp" || return 1
	within 60 "$SIMUL" run -q --output "$dir" -- "$dir/prog" >"$dir/run.txt" 2>&1
	in_gdb <<<'simul prev' && says "simul: the failure: .*Assertion .x == 2. failed" "simul: before step" || return 1
	within 60 "$SIMUL" replay --stop-at 2 "$dir/prog-1.simul" </dev/null >"$dir/said" 2>&1
	says "simul: replayed: assert"
}

# An older store that a load reads, in gdb.
older_store() {
	gcc -fsanitize=thread -O0 -g -pthread -I. -DSTORE=rlx -DLOAD=rlx -o "$dir/prog" tests/rc11/sb.c || return 1
	within 60 "$SIMUL" run -q --model rc11 --output "$dir" -- "$dir/prog" >"$dir/run.txt" 2>&1
	in_gdb <<<'simul prev' && says "simul: the failure: .*Assertion" "simul: before step"
}

for o in -O0 -O2; do
	one_of $o -O0 -O2 && run_case "gdb: an assertion, forward and back $o" back_and_forth $o
done
run_case "gdb: own breakpoints in patched code" own_breakpoints
run_case "gdb: own breakpoints where functions are inlined" inlined_breakpoints
run_case "gdb: line by line through patched code" by_lines
run_case "gdb: traps of patched code" unforeseen
run_case "gdb: a deadlock" deadlock
run_case "gdb: store buffers" store_buffers
run_case "gdb: a lost wake-up" lost_wakeup
run_case "gdb: a crash, watchpoints" crash
run_case "gdb: a failing exit status" failing_exit
for d in lock_order check_then_act wrong_waiter use_after_free double_release; do
	of_many 3 "stop-at: $d" && run_case "stop-at: $d stops, goes on and fails" stops_and_goes_on $d -O1
done
run_case "stop-at: stores in buffers" stops_and_goes_on dekker -O1 -- --model tso
run_case "stop-at: where the threads stand" tells_stacks
run_case "gdb: C++" cxx
run_case "gdb: RC11" older_store
run_case "gdb: a script" becomes script
run_case "gdb: a wrapper" becomes wrapper
run_case "gdb: strings that a terminal would obey" strings
run_case "gdb: what is refused" refusals
run_case "gdb: nothing is left behind" nothing_left
finish
