# Bugs are reported even if time, memory or disk space runs out. (sourced by tests/cli.sh)

# The confirming replay takes longer than the remaining time.
slow_replay_time() {
	SIMUL_TEST_CONFIRM=2 works 1 "$SIMUL" run --time 1.9s --output "$dir" -- "$bin/slow_replay" && last_line "unconfirmed failure: assert" && last_line "the time limit was reached"
}
run_case "a bug whose replay takes longer than --time" slow_replay_time

slow_replay_interrupted() {
	local after
	for after in 3.3 5 8 13 21 34 55; do # on a busy machine the first of them may come before the bug is found
		timeout -s INT $after "$SIMUL" run --json "$dir/r.json" --output "$dir" -- "$bin/slow_replay" >"$dir/out" 2>"$dir/err" </dev/null
		[ "$(json "$dir/r.json" verdict)" = incomplete ] || break
	done
	cat "$dir/out" "$dir/err"
	expect_eq verdict bug "$(json "$dir/r.json" verdict)" && last_line "unconfirmed failure: assert" && last_line "interrupted"
}
run_case "Ctrl-C while a bug is replayed" slow_replay_interrupted

# Every write to /dev/full fails.
full_output() {
	local status
	"$SIMUL" run --output "$dir" -- "$bin/deadlock" >/dev/full 2>"$dir/err" </dev/null
	expect_eq "exit status with a bug" 1 $? && says "bug found" "$dir/err" && says "cannot write to standard output" "$dir/err" || return 1
	"$SIMUL" run --output "$dir" -- "$bin/fine" >/dev/full 2>"$dir/err" </dev/null
	expect_eq "exit status without one" 70 $? && says "simul: complete" "$dir/err" && says "cannot write to standard output" "$dir/err" || return 1
	for command in "--version" "help run" "doctor $bin/fine" "replay $dir/deadlock-1.simul"; do
		# shellcheck disable=SC2086
		"$SIMUL" $command >/dev/full 2>"$dir/err" </dev/null
		status=$?
		cat "$dir/err"
		[ $status != 0 ] && says "cannot write to standard output" "$dir/err" || return 1
	done
}
run_case "standard output cannot be written to" full_output

# The functions that simplify a recording have large structures on the stack.
small_stack() {
	ulimit -s 256
	works 1 "$SIMUL" run --output "$dir" -- "$bin/deadlock" && works 0 "$SIMUL" minimize "$dir/deadlock-1.simul"
}
run_case "simplifying with ulimit -s 256" small_stack

# A pipe on standard input that cannot be copied: the message names the limit, not the size of the pipe.
copied_input() (
	ulimit -f 40
	head -c 100000 /dev/zero | { ! "$SIMUL" run -- "$bin/fine" 2>"$dir/err"; } && says "standard input cannot be copied: File too large" "$dir/err" &&
		says "ulimit -f" "$dir/err"
)
run_case "a pipe on standard input with ulimit -f" copied_input

# Escape sequences, C1 bytes and characters that reverse text in the program's output do not reach the terminal.
escapes() {
	works 1 "$SIMUL" run --output "$dir" -- "$bin/escapes" && cp "$dir/out" "$dir/shown" || return 1
	works 1 "$SIMUL" replay "$dir/escapes-1.simul" && cat "$dir/out" >>"$dir/shown" || return 1
	says "\\x1b]0;title" "$dir/shown" || return 1
	! LC_ALL=C grep -nE $'\x1b|\x9b|\xe2\x80\xae|\xe2\x80\xa8' "$dir/shown"
}
run_case "escape sequences of the program" escapes

# Without /proc nothing works, and the message says so.
no_proc() {
	unshare -m true 2>/dev/null || unshare -rm true 2>/dev/null || return 0 # private mounts are impossible here (chroot)
	! grep -q __asan_init "$SIMUL" || return 0 # LeakSanitizer needs /proc, even to be switched off
	export -f no_proc_inside
	if [ "$(id -u)" = 0 ]; then unshare -m bash -c 'no_proc_inside "$@"' - "$SIMUL" "$bin/fine"; else unshare -rm bash -c 'no_proc_inside "$@"' - "$SIMUL" "$bin/fine"; fi >"$dir/out" 2>&1
	local status=$?
	[ $status = 77 ] && return 0 # nothing can be unmounted here
	cat "$dir/out"
	expect_eq "exit status" 2 $status && grep -q 'is /proc mounted?' "$dir/out"
}
no_proc_inside() { mount -t tmpfs none /proc || exit 77; "$1" run -- "$2"; }
run_case "/proc is not mounted" no_proc

# A limit on stacks is meant for the program: simul itself, and the libraries that read debug information for it, need more.
reports_on_small_stack() { # COMPILER SOURCE PATTERN
	local limit
	"$1" -g -O1 -pthread -o "$dir/prog" "$2" || return 1
	for limit in 512 128 64; do
		(
			ulimit -s $limit || exit 1
			simul_run run --output "$dir/$limit" --json "$dir/r.json" -- "$dir/prog" >"$dir/log" 2>&1
			expect_eq "exit status with $limit KB" 1 $? && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" && grep -q "bug found: $3" "$dir/log" || { cat "$dir/log"; exit 1; }
			simul_run show "$dir/$limit/prog-1.simul" >"$dir/log" 2>&1 && simul_run show --html "$dir/page.html" "$dir/$limit/prog-1.simul" || exit 1
			simul_run replay "$dir/$limit/prog-1.simul" >"$dir/log" 2>&1
			expect_eq "exit status of the replay with $limit KB" 1 $?
		) || return 1
	done
}
run_case "small stacks, gcc" reports_on_small_stack gcc demos/aba_stack/prog.c 'assert at prog.c:41'
run_case "small stacks, clang" reports_on_small_stack clang demos/lock_order/prog.c 'deadlock at prog.c:28'
run_case "small stacks, g++" reports_on_small_stack g++ demos/cxx_shutdown/prog.cc 'deadlock at prog.cc:53'
run_case "small stacks, clang++" reports_on_small_stack clang++ demos/cxx_shutdown/prog.cc 'deadlock at prog.cc:53'
