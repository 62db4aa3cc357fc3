#!/bin/bash
# The command line: bad input, exit codes, streams, JSON, cleanup. The cases are functions in tests/cli/*.sh. Each runs in a subshell with
# its own folder in $dir, and fails by its exit status.
. "$(dirname "$0")/lib.sh"
suite cli

mkdir -p "$work/bin"
for c in tests/cli/prog/*.c; do
	gcc -g -O1 -D_GNU_SOURCE -Wall -pthread -o "$work/bin/$(basename "$c" .c)" "$c" ||
		{ run_case "$c compiles" false; finish; }
done
bin=$work/bin

# fails STATUS TEXT COMMAND...: exits with STATUS, says TEXT (a fixed string) in one line on standard error, and
# prints nothing else there.
fails() {
	local want=$1 text=$2 status
	shift 2
	show_cmd "$@"
	within 60 "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	cat "$dir/out" "$dir/err"
	expect_eq "exit status" "$want" $status || return 1
	expect_eq "lines on standard error" 1 "$(wc -l <"$dir/err")" || return 1
	grep -qF -- "$text" "$dir/err" || { echo "the message does not say: $text"; return 1; }
}

# works STATUS COMMAND...: exits with STATUS; output is in $dir/out and $dir/err.
works() {
	local want=$1 status
	shift
	show_cmd "$@"
	within 60 "$@" >"$dir/out" 2>"$dir/err" </dev/null
	status=$?
	cat "$dir/out" "$dir/err"
	expect_eq "exit status" "$want" $status
}

# says TEXT [FILE]: FILE (default: standard output of the last command) has this fixed string.
says() {
	grep -qF -- "$1" "${2:-$dir/out}" || { echo "not said: $1"; return 1; }
}

# last_line TEXT: standard output ends with a line that has this text.
last_line() {
	tail -n 1 "$dir/out" | grep -qF -- "$1" || { echo "the last line does not say: $1"; return 1; }
}

# running TEXT: the processes with this text in their command line (arguments joined by blanks).
running() {
	local p words
	for p in /proc/[0-9]*; do
		words=$(tr '\0' ' ' 2>/dev/null <"$p/cmdline") && [[ $words == *"$1"* ]] && echo "${p#/proc/}: $words"
	done
}

# left_in_tmp: temporary files and shared memory with simul's name. Unit tests, which may run at the same time, name theirs simul-test-.
left_in_tmp() { ls /dev/shm /tmp 2>/dev/null | grep -i simul | grep -v '^simul-test-'; }

# no_processes TEXT: after at most a second, no process has this unique text in its command line.
no_processes() {
	local i
	for i in 1 2 3 4 5 6 7 8 9 10; do
		[ -z "$(running "$1")" ] && return 0
		sleep 0.1
	done
	echo "still running:"
	running "$1"
	return 1
}

for cases in tests/cli/*.sh; do
	. "$cases"
done
finish
