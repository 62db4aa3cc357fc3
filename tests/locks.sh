#!/bin/bash
# Locks that are not pthread's, taken as locks (docs/locks.md). Random programs have the same outcomes, deadlocks and numbers of traces as with a pthread mutex
# (tests/locks/locks.py); broken variants of simul do not. Each runtime's lock itself is explored as code (tests/locks/transcribed/).
#
#   LOCKS_PROGRAMS=N tests/locks.sh   N random programs (default 1000), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite locks
CASE_SECONDS=900

build() { # NAME FLAGS...
	gcc -g -O1 -Wall -Wextra -Wno-unused-function -pthread -I. "${@:2}" -o "$work/$1" tests/locks/counted.c || exit 1
}
build mutex -DLOCK_KIND=PTHREAD
build futex -DLOCK_KIND=FUTEX -DSPINS=1
build park -DLOCK_KIND=FUTEX -DSPINS=100
build spin -DLOCK_KIND=SPIN
build no_wake -DLOCK_KIND=FUTEX -DSPINS=1 -DNO_WAKE

# traces KIND THREADS ROUNDS TRACES OPTIONS...: the orders of the sections, and nothing else
traces() {
	simul_run run --quiet --json "$dir/r.json" --output "$dir/out" "${@:5}" -- "$work/$1" "$2" "$3" >"$dir/said" 2>&1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq traces "$4" "$(json "$dir/r.json" distinct_traces)"
}
# The number of orders of R sections of each of N threads: (N R)! / R!^N
for kind in mutex futex park spin; do
	lock=(--lock take)
	[ $kind != mutex ] || lock=()
	for model in sc tso; do
		for case in "2 1 2" "2 2 6" "2 3 20" "3 1 6" "3 2 90"; do
			# shellcheck disable=SC2086
			of_many 3 "$kind $model $case" && run_case "traces, $kind, $model, threads rounds traces: $case" traces $kind $case --strategy optimal --model $model "${lock[@]}"
		done
	done
done
for options in "--strategy source --shuffle 7" "--strategy optimal --shuffle 3" "--strategy trust" "--strategy exhaustive" "--strategy optimal --jobs 2" "--strategy optimal --isolation fork"; do
	# shellcheck disable=SC2086
	run_case "traces, $options" traces park 2 3 20 --lock take $options
done

# said TEXT FILE
said() { grep -qF -- "$1" "$2" || { echo "nothing says '$1'"; cat "$2"; return 1; }; }

assumed() {
	simul_run run --quiet --json "$dir/r.json" --lock take -- "$work/futex" 2 1 >"$dir/said" 2>&1 || return 1
	said "complete; locks named with --lock (1 object) taken as locks: every one of 2 traces" "$dir/said" &&
		expect_eq assumed_locks "locks named with --lock (1 object) taken as locks" "$(json "$dir/r.json" assumed_locks)"
}
run_case "the verdict says what is assumed" assumed

# Without --lock the lock is code: its bug is found. With it, it is not, and the verdict says why.
broken_lock() {
	simul_run run --quiet --output "$dir/out" --json "$dir/r.json" -- "$work/no_wake" 2 1 >"$dir/said" 2>&1
	expect_eq verdict bug "$(json "$dir/r.json" verdict)" && expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" || return 1
	simul_run run --quiet --lock take -- "$work/no_wake" 2 1 >"$dir/said" 2>&1
	said "taken as locks" "$dir/said"
}
run_case "a broken lock" broken_lock

# Locks taken in opposite orders: the report names who holds which lock since when, and replays without --lock.
deadlock() {
	gcc -g -O1 -pthread -w -I. -DLOCK_KIND=FUTEX -o "$dir/program" tests/locks/program.c || return 1
	simul_run run --quiet --lock take --output "$dir/out" --json "$dir/r.json" -- "$dir/program" 1 . abBA baAB >"$dir/said" 2>&1
	expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" || { cat "$dir/said"; return 1; }
	simul_run show "$dir/out/program-1.simul" >"$dir/shown" || return 1
	grep -q "T0 waits for the lock lock\[1\] at own_lock.h:[0-9]*, held by T0.1 since step [0-9]* (own_lock.h:[0-9]*)" "$dir/shown" &&
		said "The threads wait for each other in a cycle" "$dir/shown" || { cat "$dir/shown"; return 1; }
	simul_run replay "$dir/out/program-1.simul" >"$dir/said" 2>&1
	said "the recorded failure, 1 of 1 time" "$dir/said"
}
run_case "a deadlock" deadlock

# Functions that are left out have no orders; what other code does is found.
leave_out() {
	gcc -g -O1 -Wall -Wextra -pthread -o "$dir/program" tests/locks/left_out.c || return 1
	simul_run run --quiet --strategy optimal --json "$dir/r.json" -- "$dir/program" >"$dir/said" 2>&1
	expect_eq "traces with the function" 4 "$(json "$dir/r.json" distinct_traces)" || return 1
	simul_run run --quiet --strategy optimal --leave-out 'log_*' --json "$dir/r.json" -- "$dir/program" >"$dir/said" 2>&1
	expect_eq "traces without it" 1 "$(json "$dir/r.json" distinct_traces)" && said "functions named with --leave-out left out" "$dir/said" || return 1
	simul_run run --quiet --leave-out 'log_*' --output "$dir/out" --json "$dir/r.json" -- "$dir/program" wrong >"$dir/said" 2>&1
	expect_eq kind assert "$(json "$dir/r.json" bugs.0.kind)" || return 1
	simul_run replay "$dir/out/program-1.simul" >"$dir/said" 2>&1
	said "the recorded failure, 1 of 1 time" "$dir/said" || return 1
	# A name of Rust's std: left out without an option, also in replays, although other code accesses the same variable.
	gcc -g -O1 -Wall -Wextra -pthread -Dlog_call=_14stack_overflow11thread_info -o "$dir/known" tests/locks/left_out.c || return 1
	simul_run run --quiet --output "$dir/out" --json "$dir/r.json" -- "$dir/known" also >"$dir/said" 2>&1
	expect_eq kind assert "$(json "$dir/r.json" bugs.0.kind)" || return 1
	simul_run replay "$dir/out/known-1.simul" >"$dir/said" 2>&1
	said "the recorded failure, 1 of 1 time" "$dir/said" || { cat "$dir/said"; return 1; }
}
run_case "functions that are left out" leave_out

refusals() {
	local out
	out=$(simul_run run --no-patch --lock take -- "$work/futex" 2 1 2>&1)
	expect_eq status 2 $? && [[ $out == *"--lock needs to see"* ]] || { echo "$out"; return 1; }
	out=$(simul_run certify --lock take --certificate "$dir/c" -- "$work/futex" 2 1 2>&1)
	[[ $out == *"leave out --lock"* ]] || { echo "$out"; return 1; }
	out=$(simul_run run --quiet --lock no_such_function -- "$work/mutex" 2 1 2>&1)
	[[ $out == *"--lock no_such_function had no effect"* ]] || { echo "$out"; return 1; }
}
run_case "refusals" refusals

# A search that is continued has the same locks.
continued() {
	simul_run run --quiet --lock take --strategy optimal --executions 40 --resume "$dir/s" -- "$work/park" 3 2 >"$dir/said" 2>&1
	simul_run run --quiet --lock take --strategy optimal --resume "$dir/s" --json "$dir/r.json" -- "$work/park" 3 2 >"$dir/said" 2>&1
	expect_eq traces 90 "$(json "$dir/r.json" distinct_traces)" || { cat "$dir/said"; return 1; }
	! simul_run run --quiet --strategy optimal --resume "$dir/s" -- "$work/park" 3 2 >"$dir/said" 2>&1 && said "--lock 'take'" "$dir/said"
}
run_case "a search that is continued" continued

# Locks of libraries that are installed here, in plain threads. A try-lock that fails is a result: before the section, in it, or after it.
library() { # LIBRARY FILE MODE ROUNDS TRACES OPTIONS...
	gcc -g -O1 -pthread -D"$1" -o "$dir/program" tests/locks/library.c "-l:$2" || return 1
	simul_run run --quiet --strategy optimal --json "$dir/r.json" --output "$dir/out" "${@:6}" -- "$dir/program" "$3" "$4" >"$dir/said" 2>&1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq traces "$5" "$(json "$dir/r.json" distinct_traces)" || { cat "$dir/said"; return 1; }
	[[ " $* " == *explore* ]] || said "taken as locks" "$dir/said"
	[ $# -gt 5 ] || said "except for the memory accesses of $2" "$dir/said"
}
for case in "GLIB libglib-2.0.so.0" "CRITICAL libgomp.so.1" "OMP_LOCK libgomp.so.1"; do
	read -r which file <<<"$case"
	if [ ! -e "$(gcc -print-file-name="$file")" ]; then
		echo "$which: not tested, since there is no $file"
		continue
	fi
	run_case "$which, three sections" library "$which" "$file" lock 3 20
	run_case "$which, three sections, all of the library seen" library "$which" "$file" lock 3 20 --patch "$file"
	run_case "$which, one section, explored as code that is not seen" library "$which" "$file" lock 1 1 --own-locks explore
	run_case "$which, three sections, tso" library "$which" "$file" lock 3 20 --model tso
	[ "$which" = CRITICAL ] || run_case "$which, a try-lock" library "$which" "$file" try 1 3
	[ "$which" = CRITICAL ] || run_case "$which, a try-lock, all of the library seen" library "$which" "$file" try 1 3 --patch "$file"
done

# $dir/program opposite: the report names who holds which lock.
opposite() { # PATTERN
	simul_run run --quiet --json "$dir/r.json" --output "$dir/deadlock" -- "$dir/program" opposite >"$dir/said" 2>&1
	expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" && simul_run show "$dir/deadlock/program-1.simul" >"$dir/shown" && tr -s '\n ' ' ' <"$dir/shown" | grep -q "$1" ||
		{ cat "$dir/said" "$dir/shown"; return 1; }
}

# Rust's std, with each rustc that is installed: its locks have other names from version to version, and wrappers in builds without optimisation.
rust() { # RUSTC OPT-LEVEL
	local lock
	"$1" --edition 2021 -C opt-level="$2" -o "$dir/program" tests/locks/rust_std.rs || return 1
	for lock in mutex write; do
		simul_run run --quiet --strategy optimal --json "$dir/r.json" --output "$dir/out" -- "$dir/program" $lock >"$dir/said" 2>&1
		expect_eq "verdict of $lock" complete "$(json "$dir/r.json" verdict)" && expect_eq "traces of $lock" 6 "$(json "$dir/r.json" distinct_traces)" &&
			said "(1 object) taken as locks" "$dir/said" || { cat "$dir/said"; return 1; }
	done
	# a writer that waits is no lock that waits to be free: readers see it
	simul_run run --quiet --json "$dir/r.json" --output "$dir/out" -- "$dir/program" nested >"$dir/said" 2>&1
	expect_eq "kind of nested" deadlock "$(json "$dir/r.json" bugs.0.kind)" && expect_eq "nested confirmed" true "$(json "$dir/r.json" bugs.0.confirmed)" || { cat "$dir/said"; return 1; }
	# the counts of the handle of the thread and of its result: which of the two threads drops them last
	simul_run run --quiet --strategy optimal --json "$dir/r.json" --output "$dir/out" -- "$dir/program" spawn >"$dir/said" 2>&1
	expect_eq "traces of spawn" 4 "$(json "$dir/r.json" distinct_traces)" || { cat "$dir/said"; return 1; }
}
rustcs=$(for rustc in /usr/bin/rustc $(command -v rustc); do [ -x "$rustc" ] && echo "$rustc"; done | sort -u)
for rustc in $rustcs; do
	version=$("$rustc" --version | cut -d ' ' -f 1,2) || continue
	for level in 0 1 3; do
		run_case "$version, opt-level $level" rust "$rustc" $level
	done
done
[ -n "$rustcs" ] || echo "Rust's std: not tested, since there is no rustc"

# parking_lot (Debian: librust-parking-lot-dev), with each rustc.
parking_lot() { # RUSTC OPT-LEVEL
	local mode
	mkdir "$dir/lib" && tests/locks/parking_lot.sh "$1" "$2" "$dir/lib" || return 1
	for mode in "" "--cfg bump"; do
		# shellcheck disable=SC2086
		"$1" --edition 2021 -g -C opt-level="$2" $mode -L "$dir/lib" --extern parking_lot="$dir/lib/libparking_lot.rlib" -o "$dir/program${mode##* }" tests/locks/parking_lot.rs || return 1
	done
	for mode in "mutex 20" "try 5"; do
		simul_run run --quiet --strategy optimal --json "$dir/r.json" --output "$dir/out" -- "$dir/program" "${mode% *}" >"$dir/said" 2>&1
		expect_eq "verdict of $mode" complete "$(json "$dir/r.json" verdict)" && expect_eq "traces of $mode" "${mode#* }" "$(json "$dir/r.json" distinct_traces)" &&
			said "locks of parking_lot (1 object) taken as locks" "$dir/said" || { cat "$dir/said"; return 1; }
	done
	# a timeout is a result, and so is whether another thread came in
	for mode in "program until" "programbump bump"; do
		# shellcheck disable=SC2086
		simul_run run --quiet --json "$dir/r.json" --output "$dir/out" -- "$dir/"$mode >"$dir/said" 2>&1
		expect_eq "verdict of $mode" bug "$(json "$dir/r.json" verdict)" || { cat "$dir/said"; return 1; }
	done
	opposite "T0.1 waits for the lock [^ ]*OTHER[^ ]* at [^ ]*, held by T0 since step" || return 1
	# threads that a Condvar moves to the mutex
	for mode in turns wake; do
		[ "$2$mode" != 0wake ] || continue # too many traces
		simul_run run --quiet --json "$dir/r.json" --strategy optimal --output "$dir/out" -- "$dir/program" $mode >"$dir/said" 2>&1
		expect_eq "verdict of $mode" complete "$(json "$dir/r.json" verdict)" || { cat "$dir/said"; return 1; }
	done
}
if [ -n "$rustcs" ] && compgen -G "/usr/share/cargo/registry/parking_lot-[0-9]*" >/dev/null; then
	for rustc in $rustcs; do
		version=$("$rustc" --version | cut -d ' ' -f 1,2) || continue
		for level in 0 1 3; do
			of_many 3 "parking_lot, $version, opt-level $level" && run_case "parking_lot, $version, opt-level $level" parking_lot "$rustc" $level
		done
	done
	rustc=${rustcs%%$'\n'*}
	if mkdir "$work/parking_lot" && tests/locks/parking_lot.sh "$rustc" 3 "$work/parking_lot" && "$rustc" --edition 2021 --crate-type staticlib -C opt-level=3 -C panic=abort \
		-L "$work/parking_lot" --extern parking_lot="$work/parking_lot/libparking_lot.rlib" -o "$work/libparking_lot_c.a" tests/locks/parking_lot_c.rs; then
		export PARKING_LOT=$work/libparking_lot_c.a
	else
		exit 1
	fi
else
	echo "parking_lot: not tested, since there are no sources of the crate"
fi

# Qt 6 (Debian: qt6-base-dev). lockInternal is called through a stub of the linker's or through its table, which the loader may fill in late.
qt() { # OPTIONS...
	# shellcheck disable=SC2046
	g++ -std=c++17 -g -fPIC -pthread $(pkg-config --cflags Qt6Core) "$@" -o "$dir/program" tests/locks/qt.cpp $(pkg-config --libs Qt6Core) || return 1
	for mode in "mutex 20" "try 3"; do
		simul_run run --quiet --strategy optimal --json "$dir/r.json" --output "$dir/out" -- "$dir/program" "${mode% *}" >"$dir/said" 2>&1
		expect_eq "verdict of $mode" complete "$(json "$dir/r.json" verdict)" && expect_eq "traces of $mode" "${mode#* }" "$(json "$dir/r.json" distinct_traces)" &&
			said "complete; locks of Qt 6 (1 object) taken as locks" "$dir/said" || { cat "$dir/said"; return 1; }
	done
	simul_run run --quiet --json "$dir/r.json" --output "$dir/out" -- "$dir/program" until >"$dir/said" 2>&1
	expect_eq "verdict with a timeout" bug "$(json "$dir/r.json" verdict)" || { cat "$dir/said"; return 1; }
	for mode in recursive condition; do
		simul_run run --quiet --strategy optimal --json "$dir/r.json" --output "$dir/out" -- "$dir/program" $mode >"$dir/said" 2>&1
		expect_eq "verdict of $mode" complete "$(json "$dir/r.json" verdict)" || { cat "$dir/said"; return 1; }
		[ $mode != recursive ] || ! grep -q "taken as locks" "$dir/said" || { cat "$dir/said"; return 1; }
	done
	opposite "T0.1 waits for the lock second at [^ ]*, held by T0 since step"
}
if pkg-config --exists Qt6Core; then
	for options in -O0 -O2 "-O0 -fno-plt" "-O2 -fno-plt" "-O2 -Wl,-z,lazy -fcf-protection"; do
		# shellcheck disable=SC2086
		run_case "Qt, $options" qt $options
	done
else
	echo "Qt: not tested, since there is no Qt 6"
fi

# A lock of the program that functions of the library take and give back as well: no false deadlock, and the verdict says that the library is not seen.
handed() {
	gcc -g -O1 -pthread -o "$dir/program" tests/locks/handed.c -l:libglib-2.0.so.0 || return 1
	for mode in 0 1 2 3 5 7 10 11 15; do
		simul_run run --quiet --strategy optimal --json "$dir/r.json" --output "$dir/out" -- "$dir/program" $mode >"$dir/said" 2>&1
		expect_eq "verdict of mode $mode" complete "$(json "$dir/r.json" verdict)" && said "except for the memory accesses of libglib-2.0.so.0" "$dir/said" || return 1
		[ $mode != 0 ] || expect_eq traces 6 "$(json "$dir/r.json" distinct_traces)" || return 1
	done
}
[ ! -e "$(gcc -print-file-name=libglib-2.0.so.0)" ] || run_case "a lock that the library takes, too" handed

# libgomp's own locks: which thread runs which task is explored, although only these locks are seen.
ways() { # prints how many of the eight are found
	local way found=0
	for way in 0 1 2 3 4 5 6 7; do
		simul_run run --quiet --strategy optimal --no-minimize --json "$dir/r.json" --output "$dir/out" -- "$dir/program" $way >"$dir/said" 2>&1
		[ "$(json "$dir/r.json" verdict)" != bug ] || found=$((found + 1))
	done
	echo $found
}
own_locks() {
	gcc -g -O1 -fopenmp -o "$dir/program" tests/locks/tasks.c || return 1
	expect_eq "ways found" 8 "$(ways)"
}
only_named_locks() {
	gcc -g -O1 -fopenmp -o "$dir/program" tests/locks/tasks.c && broken_build preload/modules/library_locks.c '(lo < places && place[lo].pc == pc) || wanted(pc)' 'wanted(pc)' || return 1
	local SIMUL=$dir/tree/build/simul found
	found=$(ways)
	[ "$found" -lt 8 ] || { echo "all ways were found with a broken library"; return 1; }
	rm -rf "$dir/tree"
}
if [ -e "$(gcc -print-file-name=libgomp.so.1)" ]; then
	run_case "libgomp's own locks" own_locks
	[ "${SUITE_MODE-}" = full ] || run_case "broken: only the locks of named functions" only_named_locks
fi

# TBB's allocator: left out for a program with containers, whose traces are those with all of TBB seen; loaded with --own-locks explore.
allocator() {
	local words="malloc in place of TBB's allocator"
	g++ -std=c++20 -g -O1 -pthread -w -o "$dir/program" tests/modern/tbb/combine.cpp -ltbb || return 1
	simul_run run --quiet --strategy optimal --json "$dir/r.json" -- "$dir/program" >"$dir/said" 2>&1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && said "$words" "$dir/said" || return 1
	simul_run run --quiet --strategy optimal --patch 'libtbb.so*' --json "$dir/all.json" -- "$dir/program" >"$dir/said" 2>&1
	expect_eq "traces with all of TBB seen" "$(json "$dir/r.json" distinct_traces)" "$(json "$dir/all.json" distinct_traces)" || return 1
	simul_run run --quiet --strategy optimal --executions 2 --own-locks explore --json "$dir/r.json" -- "$dir/program" >"$dir/said" 2>&1
	expect_eq "assumed with --own-locks explore" null "$(json "$dir/r.json" assumed_locks)" || return 1
}

# Tasks of TBB: a part runs in TBB's thread in some execution, and in the main thread in another one. Without the events where pieces of the library's code begin, or with those of
# the program's calls only, it does not.
tasks() {
	simul_run run --quiet --json "$dir/r.json" --output "$dir/out" -- "$dir/elsewhere" >"$dir/said" 2>&1
	expect_eq kind assert "$(json "$dir/r.json" bugs.0.kind)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}
all_tasks() {
	built_tasks && tasks && simul_run run --quiet --json "$dir/r.json" -- "$dir/sum" >"$dir/said" 2>&1 &&
		expect_eq verdict complete "$(json "$dir/r.json" verdict)" && said "each piece of TBB's scheduler between two calls taken as one step" "$dir/said"
}
built_tasks() {
	g++ -std=c++20 -g -O1 -pthread -w -o "$dir/elsewhere" tests/modern/tbb/part_elsewhere.cpp -ltbb && g++ -std=c++20 -g -O1 -pthread -w -o "$dir/sum" tests/modern/tbb/parallel_sum.cpp -ltbb
}
broken_tasks() { # CODE INSTEAD
	built_tasks && broken_build preload/kernel/task_order.c "$1" "$2" || return 1
	local SIMUL=$dir/tree/build/simul
	simul_run run --quiet --json "$dir/r.json" --output "$dir/out" -- "$dir/elsewhere" >"$dir/said" 2>&1
	expect_eq "verdict with a broken library" complete "$(json "$dir/r.json" verdict)" || return 1
	rm -rf "$dir/tree"
}
if [ -e /usr/include/tbb/parallel_for.h ]; then
	run_case "TBB's allocator" allocator
	run_case "TBB's tasks" all_tasks
	if [ "${SUITE_MODE-}" != full ]; then
		run_case "broken: the library's code has no events" broken_tasks '!mem_on || task_library.lo' 'mem_on || task_library.lo'
		run_case "broken: only calls of the program have events" broken_tasks '__builtin_expect(task_library_has(pc), 0)' '0'
	fi
else echo "TBB's allocator: not tested, since there is no libtbb-dev"
fi

# Abseil, linked statically: its code lies in the program. The same lock for the random programs below.
absl() { # PROGRAM VERDICT TRACES|KIND
	# shellcheck disable=SC2086
	g++ -std=c++17 -O1 -g -pthread -w -o "$dir/program" "tests/locks/absl.cpp" $absl || return 1
	simul_run run --quiet --strategy optimal --json "$dir/r.json" --output "$dir/out" -- "$dir/program" "$1" >"$dir/said" 2>&1
	expect_eq verdict "$2" "$(json "$dir/r.json" verdict)" || { cat "$dir/said"; return 1; }
	case $1 in
	writers) expect_eq traces "$3" "$(json "$dir/r.json" distinct_traces)" && said "locks of Abseil (1 object) taken as locks, Mutex::Lock and Unlock of Abseil taken as one step, bookkeeping of Abseil left out" "$dir/said" ;;
	try_reader) ! grep -q "taken as locks" "$dir/said" ;;
	*) expect_eq kind "$3" "$(json "$dir/r.json" bugs.0.kind)" ;;
	esac || { cat "$dir/said"; return 1; }
}
if pkg-config --exists absl_synchronization && [ -e /usr/lib/x86_64-linux-gnu/libabsl_synchronization.a ]; then
	absl="-Wl,-Bstatic $(pkg-config --libs absl_synchronization) -Wl,-Bdynamic"
	run_case "Abseil, three sections" absl writers complete 20
	run_case "Abseil, a program with ReaderTryLock" absl try_reader complete
	run_case "Abseil, a writer between two read locks" absl nested bug deadlock
	absl_deadlock() {
		# shellcheck disable=SC2086
		g++ -std=c++17 -O1 -g -pthread -w -o "$dir/program" "tests/locks/absl.cpp" $absl && opposite "T0.1 waits for the lock second at [^ ]*, held by T0 since step"
	}
	run_case "Abseil, a deadlock" absl_deadlock
	if g++ -std=c++17 -O1 -g -c -o "$work/absl_c.o" tests/locks/absl_c.cpp; then
		export ABSL="$work/absl_c.o $absl -lstdc++ -lm"
	else
		run_case "Abseil for programs in C" false
	fi
else
	echo "Abseil: not tested, since there is no libabsl-dev"
fi

# Each runtime's lock, transcribed, explored as code.
while read -r runtime; do
	transcribed() {
		local threads all=("2 2 m" "3 1 w" "3 1 m" "2 2 w")
		gcc -g -O1 -Wall -Wextra -pthread -I. -o "$dir/program" "tests/locks/transcribed/$1.c" || return 1
		all_cases || all=("${all[@]:0:2}")
		for threads in "${all[@]}"; do
			# shellcheck disable=SC2086
			simul_run run --quiet --own-locks explore --json "$dir/r.json" --output "$dir/out" -- "$dir/program" $threads >"$dir/said" 2>&1
			expect_eq "verdict with $threads" complete "$(json "$dir/r.json" verdict)" || { cat "$dir/said"; return 1; }
		done
	}
	run_case "the code of $runtime" transcribed "$runtime"
done < <(sed -nE 's/^RUNTIME\(.*, ([a-z_]+)\)$/\1/p' base/runtimes.def | sort -u)

programs=$((${LOCKS_PROGRAMS:-1000} * ${RANDOM_PERCENT:-100} / 100))
random_programs tests/locks/locks.py $programs 20 "--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--strategy optimal --model tso" "--strategy exhaustive" "--strategy trust"
# With a library that takes an attempt with a timeout, or a mutex that lets other threads in, as one that only waits, the bugs of `until` and `bump` are not found.
broken_parking_lot() { # FROM TO PROGRAM FILE
	broken_build "$4" "$1" "$2" || return 1
	"${rustcs%%$'\n'*}" --edition 2021 -g -C opt-level=1 $(test "$3" = until || echo --cfg bump) -L "$work/parking_lot" --extern parking_lot="$work/parking_lot/libparking_lot.rlib" -o "$dir/program" \
		tests/locks/parking_lot.rs || return 1
	simul_run run --quiet --json "$dir/r.json" --output "$dir/out" -- "$dir/program" "$3" >"$dir/said" 2>&1
	expect_eq "verdict of simul" bug "$(json "$dir/r.json" verdict)" || { cat "$dir/said"; return 1; }
	SIMUL=$dir/tree/build/simul simul_run run --quiet --json "$dir/r.json" --output "$dir/out" -- "$dir/program" "$3" >"$dir/said" 2>&1
	expect_eq "verdict of a broken simul" complete "$(json "$dir/r.json" verdict)" && rm -rf "$dir/tree"
}
if [ "${SUITE_MODE-}" != full ]; then
	if [ -n "${PARKING_LOT-}" ]; then
		run_case "broken: a timeout is no result" broken_parking_lot 'return until && !option_is_none(&limit) ? 0 : owner;' 'return owner;' until preload/patch/x86_64/acquire.c
		run_case "broken: a mutex lets nobody in" broken_parking_lot 'refused |= UINT64_C(1) << without_locks[i].owner;' 'refused |= 0;' bump preload/modules/runtimes.c
	fi
	broken_writer() { # a writer would not be queued, and later readers would not wait for it
		broken_build preload/memory/lock_sites.c 'return state_unless(a, op, only_at[waits], waits);' \
			'return state_of(a, op, memory_fingerprint(&(const uint64_t){ 0 }, (uint32_t)a->size), waits, 0);' || return 1
		# shellcheck disable=SC2086
		g++ -std=c++17 -O1 -g -pthread -w -o "$dir/program" tests/locks/absl.cpp $absl || return 1
		SIMUL=$dir/tree/build/simul simul_run run --quiet --json "$dir/r.json" --output "$dir/out" -- "$dir/program" nested >"$dir/said" 2>&1
		expect_eq "verdict of the broken library" complete "$(json "$dir/r.json" verdict)" && rm -rf "$dir/tree" || { cat "$dir/said"; return 1; }
	}
	[ -z "${ABSL-}" ] || run_case "broken: a writer waits for readers" broken_writer
	[ -z "${ABSL-}" ] || run_case "broken: Abseil's locks are taken and given back without an event" broken_random tests/locks/locks.py preload/control/lock_ops.c 'event->flags = MEM_READ | MEM_WRITE | MEM_ATOMIC | MEM_ACQUIRE | MEM_RELEASE;' '' 1 20
	run_case "broken: a lock that is taken does not wait" broken_random tests/locks/locks.py sched/await.c 'await_is_lock(n) && !(n->what & AWAIT_EDGES_SAY) && n->expected != found' 'found == 0 && !n' 1
	run_case "broken: who calls does not matter" broken_random tests/locks/locks.py preload/memory/lock_sites.c 'functions ? from_function(a) : 0' 'functions ? from_function(a) | LOCK_OF_USER : 0' 2 20
	run_case "broken: all locks are one" broken_random tests/locks/locks.py preload/memory/lock_sites.c 'hash_mix(a->pc, alias_key(a->addr))' 'hash_mix(a->pc, 0)' 1
	run_case "broken: a thread that waits for a lock goes on" broken_random tests/locks/locks.py sched/await.c 'is_taken(t, node, found) ? node : await_next' 'await_next' 4 60
fi
finish
