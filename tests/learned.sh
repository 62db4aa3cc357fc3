#!/bin/bash
# Words that behave like locks are named in the advice of a search that did not end, with options that can be pasted (docs/locks.md). Words that are no
# locks are not.
. "$(dirname "$0")/lib.sh"
suite learned

# options_in FILE: the words after "add" of each line of advice
options_in() {
	sed -nE "s/^simul: advice: .* add (--lock .*)$/\1/p" "$1" | sed 's/ (which .*//'
}

# unfinished OPTIONS... -- PROGRAM...: a search that is stopped early
unfinished() {
	simul_run run --strategy optimal --executions 2 --output "$dir/out" --json "$dir/r.json" "$@" >"$dir/said" 2>&1
	expect_eq verdict incomplete "$(json "$dir/r.json" verdict)" || { cat "$dir/said"; return 1; }
}

# advised PATTERN PROGRAM ARGS...: the advice matches the pattern. With its options the search ends, and the verdict names the locks.
advised() {
	local options
	unfinished -- "${@:2}" || return 1
	grep -qE -- "^simul: advice: $1" "$dir/said" || { echo "no advice matches $1"; cat "$dir/said"; return 1; }
	options=$(options_in "$dir/said")
	expect_eq "lines of advice" 1 "$(grep -c 'simul: advice:' "$dir/said")" || { cat "$dir/said"; return 1; }
	eval "local lock=($options)"
	simul_run run --strategy optimal --output "$dir/out" --json "$dir/r.json" "${lock[@]}" -- "${@:2}" >"$dir/said" 2>&1
	expect_eq "verdict with ${lock[*]}" complete "$(json "$dir/r.json" verdict)" && expect_eq locks "locks named with --lock (1 object) taken as locks" "$(json "$dir/r.json" assumed_locks | cut -d , -f 1)" ||
		{ cat "$dir/said"; return 1; }
	expect_eq "traces with ${lock[*]}" 20 "$(json "$dir/r.json" distinct_traces)"
}

own() { # KIND
	gcc -g -O1 -w -pthread -I. -DLOCK_KIND="$1" -o "$dir/program" tests/locks/counted.c || return 1
	advised "lock \(taken in compare_and_swap, own_lock.h:[0-9]+, inlined into (take|wait_and_take)\) behaves like a lock; if it is one, add --lock" "$dir/program" 2 3
}
for kind in SPIN FUTEX; do
	run_case "a lock of kind $kind" own $kind
done

cxx() { # PATTERN FLAGS...
	g++ -g -pthread "${@:2}" -o "$dir/program" tests/learned/lock.cpp || return 1
	advised "$1" "$dir/program" 2 3
}
for level in 0 2; do
	run_case "a lock in a class, -O$level" cxx \
		"queue\.guard\.word \(taken in app::SpinLock<unsigned int>::lock, lock\.cpp:[0-9]+\) behaves like a lock; if it is one, add --lock '_ZN3app8SpinLockIjE4lockEv'$" -O$level
	run_case "a lock in a class, inlined, -O$level" cxx \
		"queue\.guard\.word \(taken in app::SpinLock<unsigned int>::lock, lock\.cpp:[0-9]+, inlined into push\) behaves like a lock; if it is one, add --lock '_ZL4pushv' \(which has every" \
		-DINLINED -O$level
done
run_case "a lock on the heap" cxx "SpinLock<unsigned int>::word \(taken in " -DHEAP -O1
run_case "no debug information" cxx ".* \(taken at app::SpinLock<unsigned int>::lock\) behaves like a lock; if it is one, add --lock '_ZN3app8SpinLockIjE4lockEv'$" -g0 -O1

rust() { # OPT-LEVEL
	rustc --edition 2021 -g -C opt-level="$1" -o "$dir/program" tests/learned/lock.rs || return 1
	advised "lock::SPIN\.word.* \(taken in lock::Spin::lock, lock\.rs:[0-9]+\) behaves like a lock; if it is one, add --lock '_[A-Za-z0-9_.$]+'$" "$dir/program" 2 3
}
if command -v rustc >/dev/null; then
	for level in 0 3; do
		run_case "a lock in Rust, opt-level $level" rust $level
	done
else
	echo "locks in Rust: not tested, since there is no rustc"
fi

stripped() {
	g++ -O1 -s -pthread -o "$dir/program" tests/learned/lock.cpp || return 1
	unfinished -- "$dir/program" 2 3 || return 1
	grep -qx "simul: advice: 1 word behaves like a lock, but the functions that take it have no names; --lock needs a program that is not stripped" "$dir/said" ||
		{ cat "$dir/said"; return 1; }
}
run_case "a stripped program" stripped

silent() {
	! grep "advice" "$dir/said"
}
no_lock() { # KIND
	gcc -g -O1 -w -pthread -DKIND="$1" -o "$dir/program" tests/learned/no_lock.c || return 1
	unfinished -- "$dir/program" && silent
}
for kind in TRY TICKET COUNT FLAG HANDED SEQ OTHERS LOOKED; do
	run_case "no lock: $kind" no_lock $kind
done

# A lock that is taken as one already, a search that ends, and --quiet.
no_need() {
	gcc -g -O1 -w -pthread -I. -DLOCK_KIND=SPIN -o "$dir/program" tests/locks/counted.c || return 1
	unfinished --lock take --lock wait_and_take -- "$dir/program" 3 2 && silent && unfinished --quiet -- "$dir/program" 3 2 && silent || return 1
	simul_run run --strategy optimal -- "$dir/program" 2 1 >"$dir/said" 2>&1
	grep -q "simul: complete" "$dir/said" && silent
}
run_case "no need" no_need

# The words are kept with a search that is continued, and by other strategies.
kept() {
	gcc -g -O1 -w -pthread -I. -DLOCK_KIND=FUTEX -o "$dir/program" tests/locks/counted.c || return 1
	unfinished --resume "$dir/s" -- "$dir/program" 3 2 || return 1
	simul_run run --strategy optimal --executions 4 --resume "$dir/s" -- "$dir/program" 3 2 >"$dir/said" 2>&1
	expect_eq advised "--lock 'take'" "$(options_in "$dir/said" | grep -o "^--lock 'take'")" || { cat "$dir/said"; return 1; }
	for options in "--strategy random" "--strategy auto --jobs 2" "--strategy optimal --isolation fork" "--strategy optimal --model tso"; do
		# shellcheck disable=SC2086
		simul_run run --executions 20 $options -- "$dir/program" 3 2 >"$dir/said" 2>&1
		expect_eq "advised with $options" "--lock 'take'" "$(options_in "$dir/said" | grep -o "^--lock 'take'")" || { cat "$dir/said"; return 1; }
	done
}
run_case "searches of other kinds" kept
finish
