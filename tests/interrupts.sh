#!/bin/bash
# Which calls a signal handler ends with EINTR, with and without SA_RESTART: the table of tests/interrupts/calls.c, each call natively and under
# simul. Simul finds the interruption if and only if it is what the kernel does (signal(7)).
. "$(dirname "$0")/lib.sh"
suite interrupts

# interrupted CALL HOW
interrupted() {
	local native found
	show_cmd "$work/calls $1 $2 native"
	"$work/calls" "$1" "$2" native
	native=$?
	[ $native = 0 ] || [ $native = 7 ] || { echo "natively: exit status $native"; return 1; }
	show_cmd "$SIMUL run -- $work/calls $1 $2"
	simul_run run --output "$dir/out" --json "$dir/r.json" -- "$work/calls" "$1" "$2" >"$dir/run.out" 2>&1
	found=0
	grep -q 'the program exited with status 7' "$dir/r.json" && found=7
	expect_eq "the exit status that simul finds" $native $found || { tail -n 20 "$dir/run.out"; return 1; }
	[ $native = 7 ] || expect_eq "bugs" 0 "$(json "$dir/r.json" bugs.#)"
}

gcc -g -O1 -Wall -Wextra -pthread -o "$work/calls" tests/interrupts/calls.c || exit 1
for call in $("$work/calls"); do
	for how in plain restart; do
		of_many 2 "$call $how" && run_case "$call, $how" interrupted "$call" $how
	done
done
finish
