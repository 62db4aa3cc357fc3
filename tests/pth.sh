#!/bin/bash
# Programs that use GNU Pth: with --pth-order any they have as many orders as can be argued by hand (tests/pth/), bugs that Pth's own order never shows
# are found, replay and are called a what-if; without it, and where simul cannot steer Pth, the messages say so.
. "$(dirname "$0")/lib.sh"
suite pth
programs=tests/pth

build() { # OUT SOURCE OPTIONS...
	local out=$1 source=$2
	shift 2
	[ -e /usr/include/pth.h ] || { echo "libpth-dev is not installed"; exit 77; }
	[ -x "$out" ] || "${CC:-gcc}" -g -pthread "$@" -o "$out" "$programs/$source.c" "${LIBRARY:--lpth}"
}

# any PROGRAM OPTIONS...: searches all orders of its threads
any() {
	local prog=$1
	shift
	show_cmd "$SIMUL run --keep-going --pth-order any $* -- $prog"
	simul_run run --keep-going --pth-order any --output "$dir/out" --json "$dir/r.json" "$@" -- "$prog" >"$dir/output" 2>&1
}

whatif='a what-if: Pth threads in any order (--pth-order any), but Pth itself takes the ready thread of highest priority'

# orders NUMBER 'COMPILER OPTIONS' OPTIONS...
orders() {
	local number=$1 macros=$2
	shift 2
	# shellcheck disable=SC2086
	build "$dir/orders" orders $macros || return 1
	timeout 20 "$dir/orders" || { echo "it fails natively"; return 1; }
	any "$dir/orders" "$@"
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq executions "$number" "$(json "$dir/r.json" executions)" &&
		expect_eq "distinct traces" "$number" "$(json "$dir/r.json" distinct_traces)" && expect_eq policy pth-any "$(json "$dir/r.json" policies.0)" &&
		expect_eq "what-if" true "$(json "$dir/r.json" what_if)" && expect_eq setting any "$(json "$dir/r.json" pth_order)" &&
		grep -qF "order: Pth threads in any order (--pth-order any) (a what-if: " "$dir/output" && grep -qF "; $whatif" "$dir/output" &&
		! grep -q swapcontext "$dir/output" || { cat "$dir/output"; return 1; }
}
for strategy in optimal exhaustive source; do
	run_case "one thread, $strategy" orders 1 -DTHREADS=1 --strategy $strategy
	run_case "two threads, $strategy" orders 3 "-DTHREADS=2 -O2" --strategy $strategy
	run_case "three threads, $strategy" orders 13 -DTHREADS=3 --strategy $strategy
	run_case "four threads, $strategy" orders 73 -DTHREADS=4 --strategy $strategy
	run_case "two threads that yield, $strategy" orders 10 "-DTHREADS=2 -DYIELD" --strategy $strategy
	run_case "a mutex, $strategy" orders 8 "-DTHREADS=2 -DMUTEX" --strategy $strategy
done
run_case "five threads" orders 501 -DTHREADS=5 --strategy optimal
run_case "an urgent thread" orders 3 "-DTHREADS=2 -DURGENT"
run_case "two threads, new processes" orders 10 "-DTHREADS=2 -DYIELD" --strategy optimal --isolation exec
run_case "four threads, two workers" orders 73 -DTHREADS=4 --strategy optimal --jobs 2
run_case "four threads, clang" eval 'CC=clang orders 73 "-DTHREADS=4 -O2" --strategy optimal'

# bug MACRO KIND COUNT: Pth's own order does not show it. It is found, replays, and the report calls it a what-if.
bug() {
	local recording=$dir/out/bugs-1.simul
	build "$dir/bugs" bugs "-D$1" || return 1
	timeout 20 "$dir/bugs" || { echo "it fails natively"; return 1; }
	any "$dir/bugs" --strategy optimal
	expect_eq verdict bug "$(json "$dir/r.json" verdict)" && expect_eq kind "$2" "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq "failing orders" "$3" "$(json "$dir/r.json" bugs.0.count)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" &&
		grep -qF "; $whatif" "$dir/output" || { cat "$dir/output"; return 1; }
	grep -qx 'pth-order 1' "$recording" || { echo "the recording does not have the setting"; return 1; }
	simul_run show "$recording" >"$dir/shown" || return 1
	grep -q 'Pth: second before first' "$dir/shown" && tr -s ' \n' ' ' <"$dir/shown" | grep -qF ': a what-if, since Pth itself takes' || { cat "$dir/shown"; return 1; }
	simul_run show --json "$recording" >"$dir/shown.json" && expect_eq "setting in show --json" any "$(json "$dir/shown.json" options.pth_order)" || return 1
	simul_run replay --times 20 "$recording" >"$dir/replayed"
	grep -q '20 of 20 times' "$dir/replayed" || { cat "$dir/replayed"; return 1; }
	simul_run minimize --output "$dir/small.simul" "$recording" >"$dir/minimized" && simul_run replay --times 20 "$dir/small.simul" >"$dir/replayed"
	grep -q '20 of 20 times' "$dir/replayed" || { cat "$dir/replayed"; return 1; }
}
run_case "used before it is set" bug EARLY assert 1
run_case "a lost wake-up" bug LOST deadlock 1

no_bug() {
	build "$dir/waits" bugs -DWAITS && any "$dir/waits" --strategy optimal && expect_eq verdict complete "$(json "$dir/r.json" verdict)" &&
		expect_eq executions 3 "$(json "$dir/r.json" executions)"
}
run_case "a wake-up that is not lost" no_bug

# Time and descriptors: each strategy finds the same orders, and each execution can be repeated.
waits() {
	local strategy
	build "$dir/waits" waits && timeout 20 "$dir/waits" || return 1
	for strategy in exhaustive optimal source; do
		any "$dir/waits" --strategy $strategy
		expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq executions 14 "$(json "$dir/r.json" executions)" || return 1
	done
}
run_case "threads that wait for time and a pipe" waits

# A thread that polls can be chosen again and again.
polls() {
	build "$dir/polls" waits -DPOLLS && timeout 20 "$dir/polls" || return 1
	any "$dir/polls" --strategy optimal --max-steps 60
	expect_eq verdict incomplete "$(json "$dir/r.json" verdict)" && grep -q 'cut after 60 steps' "$dir/output"
}
run_case "a thread that polls" polls

# Without the option there is nothing to explore, and the message names it.
without() {
	build "$dir/orders" orders -DTHREADS=2 || return 1
	simul_run run --output "$dir/out" -- "$dir/orders" >"$dir/output" 2>&1
	expect_eq status 2 $? && grep -q 'has only threads of GNU Pth.*add --pth-order any' "$dir/output" && ! grep -q swapcontext "$dir/output" || { cat "$dir/output"; return 1; }
}
run_case "the message without the option" without

with_pthread() {
	build "$dir/both" both || return 1
	simul_run run --keep-going --quiet --strategy optimal --output "$dir/out" --json "$dir/r.json" -- "$dir/both" >"$dir/output"
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq executions 2 "$(json "$dir/r.json" executions)" &&
		expect_eq policy pth "$(json "$dir/r.json" policies.0)" && expect_eq "what-if" false "$(json "$dir/r.json" what_if)" &&
		grep -qF '; Pth threads only in the order of their priorities (--pth-order any tries others)' "$dir/output" || { cat "$dir/output"; return 1; }
	any "$dir/both" --strategy optimal
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq executions 6 "$(json "$dir/r.json" executions)"
}
run_case "POSIX threads, too" with_pthread

# says REGEX PROGRAM: it is not complete, and says why
says() {
	any "$2" --strategy optimal
	grep -q "$1" "$dir/output" && ! grep -q 'simul: complete\|no bug (' "$dir/output" || { cat "$dir/output"; return 1; }
}

# A libpth of another build-id, whose data is not known.
unknown_build() {
	local library
	build "$dir/$1" "$1" -DTHREADS=2 || return 1
	library=$(ldd "$dir/$1" | awk '/libpth\./ {print $3}')
	python3 - "$library" "$dir/$(basename "$library")" <<-'PYTHON' || return 1
		import sys
		data = bytearray(open(sys.argv[1], "rb").read())
		at = data.index(b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0") + 16
		data[at] ^= 1
		open(sys.argv[2], "wb").write(data)
	PYTHON
	LD_LIBRARY_PATH=$dir says 'orders of Pth threads are not explored: simul does not know this build of Pth' "$dir/$1" || return 1
	LD_LIBRARY_PATH=$dir simul_run run --output "$dir/out" -- "$dir/$1" >"$dir/output" 2>&1
	grep -q 'does not know this build' "$dir/output" && return 1
	return 0
}
run_case "an unknown libpth" unknown_build orders
run_case "an unknown libpth and POSIX threads" unknown_build both

static() {
	[ -e "$(gcc -print-file-name=libpth.a)" ] || { echo "there is no libpth.a"; exit 77; }
	LIBRARY=-l:libpth.a build "$dir/static" "$1" -DTHREADS=2 && says 'found no scheduler of GNU Pth' "$dir/static"
}
run_case "linked statically" static orders
run_case "linked statically, and POSIX threads" static both

many() {
	build "$dir/many" orders -DTHREADS=1001 && says 'more than 1000 Pth threads were runnable' "$dir/many"
}
run_case "too many threads" many

finish
