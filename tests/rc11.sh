#!/bin/bash
# Programs built with -fsanitize=thread under --model rc11: known verdicts of litmus tests and algorithms, replays, and what is refused.
. "$(dirname "$0")/lib.sh"
suite rc11
CASE_SECONDS=60

build() { # COMPILER SOURCE FLAGS...
	local cc=$1 src=$2 shared=
	shift 2
	[ "$cc" = clang ] && shared=-shared-libsan
	[[ $src == *.cc ]] && cc=g++
	$cc -fsanitize=thread $shared -O0 -g -pthread -I. "$@" -o "$dir/prog" "tests/rc11/$src"
}

run() { # OPTIONS: runs the program under RC11
	show_cmd "$SIMUL run --model rc11 $* -- $dir/prog"
	simul_run run --model rc11 --output "$dir/out" --json "$dir/r.json" "$@" -- "$dir/prog" >"$dir/run.out" 2>&1
}

failed() {
	cat "$dir/run.out"
	return 1
}

# verdict COMPILER SOURCE FLAGS VERDICT OPTIONS...: `ok` samples find no bug; else the bug is of this kind, is confirmed, and replays
verdict() {
	local cc=$1 src=$2 flags=$3 want=$4
	shift 4
	[ "$flags" = - ] && flags=
	# shellcheck disable=SC2086
	build "$cc" "$src" $flags || return 1
	run "$@"
	local status=$?
	if [ "$want" = ok ]; then
		expect_eq "exit status" 0 $status && expect_eq verdict incomplete "$(json "$dir/r.json" verdict)" && return 0
		failed
		return 1
	fi
	expect_eq "exit status" 1 $status && expect_eq kind "$want" "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" || { failed; return 1; }
	simul_run replay --times 20 "$dir/out/prog-1.simul" >"$dir/replay.out" 2>&1
	grep -q '20 of 20' "$dir/replay.out" && return 0
	cat "$dir/replay.out"
	return 1
}

# graphs SOURCE FLAGS N: the search executes exactly N graphs, in any order of the threads, and in each isolation. "=": always the same number
graphs() {
	local src=$1 flags=$2 want=$3 options
	[ "$flags" = - ] && flags=
	# shellcheck disable=SC2086
	build gcc "$src" -DCOUNT $flags || return 1
	for options in "--jobs 1 --no-snapshots" "--jobs 1 --shuffle 3" "--jobs 1 --shuffle 8" "--isolation fork" "--isolation exec" "--jobs 3 --shuffle 5"; do
		# With rewind and fork, executions start in the middle of the one before.
		# shellcheck disable=SC2086
		SIMUL_TEST_POINTS=1 SIMUL_TEST_SNAPSHOTS=3 SIMUL_TEST_SHARE_AT_ONCE=1 run --keep-going $options
		[ "$want" != = ] || want=$(json "$dir/r.json" executions)
		grep -q 'complete under RC11' "$dir/run.out" && expect_eq "graphs with '$options'" "$want" "$(json "$dir/r.json" executions)" ||
			{ failed; return 1; }
	done
}

# Executions really start in the middle of the one before: at points, or from snapshots.
in_the_middle() {
	build gcc seqlock_writer.c -DCOUNT || return 1
	SIMUL_TEST_POINTS=2 run --jobs 1 --isolation rewind
	expect_eq graphs 196 "$(json "$dir/r.json" executions)" &&
		[ $((2 * $(json "$dir/r.json" restored_events))) -gt "$(json "$dir/r.json" events)" ] || { failed; return 1; }
	SIMUL_TEST_SNAPSHOTS=3 run --jobs 1 --isolation fork
	expect_eq graphs 196 "$(json "$dir/r.json" executions)" && [ "$(json "$dir/r.json" from_snapshots)" -gt 100 ] ||
		{ failed; return 1; }
}

# An interrupted search continues where it was.
resumed() {
	build gcc seqlock_writer.c -DCOUNT || return 1
	for i in 1 2 3; do
		run --executions 60 --resume "$dir/state" || { failed; return 1; }
		expect_eq "verdict of part $i" incomplete "$(json "$dir/r.json" verdict)" || { failed; return 1; }
	done
	run --resume "$dir/state"
	expect_eq graphs 196 "$(json "$dir/r.json" executions)" && expect_eq verdict complete "$(json "$dir/r.json" verdict)" || { failed; return 1; }
}

# The same with three workers; then one goes on alone with what the others had left.
shared_resumed() {
	build gcc seqlock_writer.c -DCOUNT || return 1
	for jobs in 3 2 3; do
		SIMUL_TEST_SHARE_AT_ONCE=1 run --jobs $jobs --executions 50 --resume "$dir/state" || { failed; return 1; }
		expect_eq "verdict with $jobs workers" incomplete "$(json "$dir/r.json" verdict)" || { failed; return 1; }
	done
	run --jobs 1 --resume "$dir/state"
	expect_eq graphs 196 "$(json "$dir/r.json" executions)" && expect_eq verdict complete "$(json "$dir/r.json" verdict)" || { failed; return 1; }
}

# When one worker goes on with samples, all do. So do those that come later.
shared_samples() {
	build gcc counts.c || return 1
	for at_once in 1 ""; do
		if [ "$at_once" ]; then export SIMUL_TEST_SHARE_AT_ONCE=1; else unset SIMUL_TEST_SHARE_AT_ONCE; fi
		run --jobs 2 --executions 10000 --max-steps 2000
		expect_eq "exit status" 0 $? && expect_eq verdict incomplete "$(json "$dir/r.json" verdict)" &&
			expect_eq workers 2 "$(json "$dir/r.json" jobs)" && ! grep -q 'killed from outside' "$dir/run.out" &&
			grep -q 'samples instead of every execution graph: .*too many events' "$dir/run.out" || { failed; return 1; }
	done
}

# A bug of a shared search: confirmed, and replays.
shared_bug() {
	build gcc calls.c -DHOW=CONDITION -DWEAK || return 1
	SIMUL_TEST_SHARE_AT_ONCE=1 run --jobs 2
	expect_eq "exit status" 1 $? && expect_eq kind race "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" || { failed; return 1; }
	simul_run replay --times 20 "$dir/out/prog-1.simul" >"$dir/replay.out" 2>&1
	grep -q '20 of 20' "$dir/replay.out" || { cat "$dir/replay.out"; return 1; }
}

# Where the search over graphs does not know what the program does, there are samples, and the summary says why.
samples() { # SOURCE WHY FLAGS...
	build gcc "$1" "${@:3}" || return 1
	run --executions 200 --max-steps 2000
	expect_eq "exit status" 0 $? && expect_eq verdict incomplete "$(json "$dir/r.json" verdict)" &&
		grep -q "samples instead of every execution graph: .*$2" "$dir/run.out" && return 0
	failed
}

# What other threads do decides when a sleep or another wait ends.
late() { # SOURCE FLAGS WHY
	build gcc "$1" "$2" || return 1
	run --executions 200 --time-model discrete
	grep -q "samples instead of every execution graph: .*$3" "$dir/run.out" || { failed; return 1; }
}

# The report says which store a load reads, and where a store is placed.
says() { # PATTERN SOURCE FLAGS...
	build gcc "${@:2}" || return 1
	run
	grep -q -- "$1" "$dir/run.out" || { failed; return 1; }
}

# The report, and what is made of the recording, say which stronger orders prevent the failure in its schedule.
orders() { # SOURCE FLAGS PATTERN
	local src=$1 flags=$2 pattern=$3
	[ "$flags" = - ] && flags=
	# shellcheck disable=SC2086
	build gcc "$src" $flags || return 1
	COLUMNS=1000 run
	grep -q "  Tried: with $pattern" "$dir/run.out" || { failed; return 1; }
	simul_run show --width 1000 "$dir/out/prog-1.simul" | grep -q "  Tried: with $pattern" || return 1
	simul_run show --html "$dir/page.html" "$dir/out/prog-1.simul" && tr '\n' ' ' <"$dir/page.html" | tr -s ' ' |
		grep -q "Tried: with $pattern" || { echo "the page does not say it"; return 1; }
	simul_run show --json "$dir/out/prog-1.simul" >"$dir/show.json" &&
		expect_eq "JSON: fails without them" true "$(json "$dir/show.json" stronger_orders.fewest)"
}

# ThreadSanitizer reports this race natively, and does not decide whether the test passes without simul.
stressed() {
	build gcc mp.c -DPLAIN -DSTORE=rlx -DLOAD=rlx && (cd "$dir" && TSAN_OPTIONS=exitcode=66 simul_run stress --model rc11 --time 30s -- ./prog) >"$dir/run.out" 2>&1
	grep -q '^./prog *bug ' "$dir/run.out" || { failed; return 1; }
}

# Minimizing adds these replays to a recording that lacks them, though it is as simple as can be.
orders_later() {
	local rec=$dir/out/prog-1.simul
	build gcc sb.c -DSTORE=rlx -DLOAD=rlx && run
	grep '^orders [0-9]* fewest' "$rec" >"$dir/orders" || { failed; return 1; }
	sed -i '/^orders /d; /^at /d' "$rec" && python3 tests/explain/checksum.py "$rec" &&
		simul_run minimize --trust -q "$rec" >"$dir/run.out" 2>&1 || { failed; return 1; }
	grep '^orders ' "$rec" | cmp - "$dir/orders"
}

# No order removes this race.
no_order() {
	build gcc mp.c -DPLAIN -DSTORE=rel -DLOAD=acq || return 1
	COLUMNS=1000 run
	grep -q '  Tried: with seq_cst at each atomic access and fence of this schedule ([12] places* in the code), it fails in the same way' "$dir/run.out" ||
		{ failed; return 1; }
}

# The same samples in each isolation; the strategies find what needs an older store.
alike() {
	local isolation events=
	build gcc treiber.c || return 1
	for isolation in rewind fork exec; do
		run --strategy random --executions 100 --isolation $isolation || { failed; return 1; }
		events=${events:-$(json "$dir/r.json" events)}
		expect_eq "events with --isolation $isolation" "$events" "$(json "$dir/r.json" events)" || return 1
	done
}

strategy() {
	build gcc sb.c -DSTORE=rlx -DLOAD=rlx || return 1
	run --strategy "$1" --executions 1000
	expect_eq "exit status" 1 $? || { failed; return 1; }
}

workers() {
	build gcc sb.c -DSTORE=rlx -DLOAD=rlx && run --strategy random --jobs 2 --executions 1000 --keep-going
	expect_eq "exit status" 1 $? && expect_eq bugs 1 "$(json "$dir/r.json" bugs.#)" || { failed; return 1; }
}

# An access of another size meets the latest store, and the summary says so.
other_sizes() {
	verdict "$1" other_sizes.c - ok --strategy random --executions 500 &&
		grep -q 'overlap those of an access of another size' "$dir/run.out" || { failed; return 1; }
}

# Late in a long execution accesses meet the latest store, and the summary says so.
long() {
	verdict gcc long.c - ok --strategy random --executions 20 && grep -q 'late in long executions' "$dir/run.out" || { failed; return 1; }
}

# So do those of code without memory orders.
no_orders() {
	gcc -O0 -g -I. -DLIBRARY -shared -fPIC -o "$dir/liblook.so" tests/rc11/no_orders.c &&
		build gcc no_orders.c -L"$dir" -llook -Wl,-rpath,"$dir" -rdynamic || return 1
	run --strategy random --executions 500
	expect_eq "exit status" 0 $? && grep -q 'not built with -fsanitize=thread' "$dir/run.out" || { failed; return 1; }
}

# The same for such code in the program's own file.
guard() {
	gcc -O0 -g -I. -DOBJECT -c -o "$dir/ready.o" tests/rc11/guard.c && build gcc guard.c "$dir/ready.o" || return 1
	run --executions 500
	expect_eq "exit status" 0 $? && grep -q 'not built with -fsanitize=thread' "$dir/run.out" || { failed; return 1; }
}

# Such code may have been written with seq_cst, whose loads are plain moves: no weaker order is assumed.
seq_cst_object() {
	gcc -O1 -g -I. -DOBJECT -c -o "$dir/other.o" tests/rc11/sb_object.c && build gcc sb_object.c "$dir/other.o" || return 1
	local strategy
	for strategy in graphs random; do
		run --strategy $strategy --executions 500
		expect_eq "exit status" 0 $? || { failed; return 1; }
	done
}

# A program in Rust, built as docs/rc11.md says. The standard library of a release has no sanitizer.
rust() { # SOURCE FLAGS...
	RUSTC_BOOTSTRAP=1 rustc -g -Zsanitizer=thread -Zexternal-clangrt -Cunsafe-allow-abi-mismatch=sanitizer -Clink-arg=-ltsan -Clink-arg=-Wl,-z,undefs \
		"${@:2}" -o "$dir/prog" "tests/rc11/$1"
}

rust_graphs() { # N SOURCE FLAGS...: as in `graphs`
	local want=$1 options
	rust "${@:2}" || return 1
	for options in "" "--jobs 1 --shuffle 3" "--jobs 1 --shuffle 8 --no-snapshots"; do
		# shellcheck disable=SC2086
		run $options
		[ "$want" != = ] || want=$(json "$dir/r.json" executions)
		grep -q 'complete under RC11' "$dir/run.out" && expect_eq "graphs with '$options'" "$want" "$(json "$dir/r.json" executions)" ||
			{ failed; return 1; }
	done
}

rust_race() { # SOURCE FLAGS...
	rust "$@" || return 1
	run
	expect_eq "exit status" 1 $? && expect_eq kind race "$(json "$dir/r.json" bugs.0.kind)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" &&
		simul_run replay --times 20 "$dir/out/prog-1.simul" | grep -q '20 of 20' || failed
}

rust_static() {
	RUSTC_BOOTSTRAP=1 rustc -Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer -o "$dir/prog" tests/rc11/mp.rs || return 1
	refuses 'rustc: -Zexternal-clangrt'
}

refuses() { # PATTERN OPTIONS...
	local pattern=$1
	shift
	run "$@"
	expect_eq "exit status" 2 $? && grep -q -- "$pattern" "$dir/run.out" && return 0
	failed
}

without_sanitizer() {
	gcc -g -pthread -I. -o "$dir/prog" tests/rc11/ttas.c && refuses 'build the program with -fsanitize=thread'
}

refused() {
	build gcc ttas.c || return 1
	refuses 'supports the strategies graphs, random, pct, pos and surw only' --strategy optimal &&
		refuses 'needs --model rc11' --strategy graphs --model sc &&
		refuses 'leave out --no-patch' --no-patch && refuses '--robustness' --robustness || return 1
	show_cmd "$SIMUL certify --model rc11"
	simul_run certify --model rc11 --output "$dir/c" -- "$dir/prog" >"$dir/run.out" 2>&1
	expect_eq "exit status of certify" 2 $?
}

while IFS=$'\t' read -r src flags want graphs; do
	[[ $src == \#* ]] && continue
	name="${src%.c}"
	[ "$flags" = - ] || name+=" $flags"
	run_case "$name gcc: $want" verdict gcc "$src" "$flags" "$want" --strategy random --executions 500
	of_many 3 "$name clang" && run_case "$name clang: $want" verdict clang "$src" "$flags" "$want" --strategy random --executions 500
	[ "$graphs" = - ] || run_case "$name: $graphs graphs" graphs "$src" "$flags" "$graphs"
done <tests/rc11/golden.tsv
run_case "lifetimes gcc: ok" verdict gcc lifetime.c - ok --strategy random --executions 2000
run_case "lifetimes clang: ok" verdict clang lifetime.c - ok --strategy random --executions 2000
always=1 run_case "a load of an older store" says 'load [xy] = 0 ← first value, overwritten by' sb.c -DSTORE=rlx -DLOAD=rlx
always=1 run_case "a store before an older one" says 'store [xy] = 2, placed before step' w22.c -DSTORE=rel
always=1 run_case "orders: acquire" orders mp.c '-DSTORE=rel -DLOAD=rlx' 'acquire at mp.c:44 (load flag), step [0-9]* cannot read the older value in this schedule'
always=1 run_case "orders: a race" orders mp.c '-DPLAIN -DCAREFUL -DSTORE=rlx -DLOAD=acq' 'release at mp.c:32 (store flag), there is no data race in this schedule'
run_case "orders: seq_cst" orders sb.c '-DSTORE=rlx -DLOAD=rlx' \
	'seq_cst at sb.c:[0-9]* (\(store\|load\) [xy]), sb.c:[0-9]* (.*), sb.c:[0-9]* (.*) and sb.c:[0-9]* ('
run_case "orders: a store" orders w22.c -DSTORE=rel 'seq_cst at .*, step [0-9]* cannot be placed before the later store'
run_case "orders: a pair" orders rmw_reads_latest.c - 'release at rmw_reads_latest.c:11 (store z) and acquire at rmw_reads_latest.c:17 (load z), step'
run_case "orders: another thread's store" orders rseq_store.c - '\(acquire\|release\) at rseq_store.c:1[78] ('
run_case "orders: a compare-and-swap that fails" orders mp.c '-DSTORE=rel -DCAS=rlx' 'acquire at mp.c:42 (cas flag)'
run_case "orders: treiber" orders treiber.c -DWEAK 'release at treiber.c:22 (update top)'
run_case "orders: seqlock" orders seqlock.c -DWEAK 'acquire at seqlock.c:20 (load [ab])'
run_case "orders: fences" orders sb.c '-DSTORE=rlx -DFENCE=ar -DLOAD=rlx' \
	'seq_cst at sb.c:[0-9]* (fence) and sb.c:[0-9]* (fence), step'
run_case "orders: none" no_order
run_case "orders: tried later" orders_later
run_case "resumed" resumed
always=1 run_case "in the middle of the last execution" in_the_middle
always=1 run_case "three workers: resumed" shared_resumed
run_case "two workers: samples of graphs" shared_samples
run_case "two workers: a race" shared_bug
run_case "stress" stressed
run_case "a loop that gives up: 4 graphs" graphs poll.c - 4
run_case "samples: a loop that counts" samples counts.c 'too many events'
run_case "samples: a thread that waits for ever" samples never.c 'nothing ended that'
run_case "samples: many stores" samples many_stores.c 'more than 33 stores'
run_case "samples: sizes" samples other_sizes.c 'several sizes'
run_case "samples: memset of several atomics" samples reset.c 'several sizes' -DMEMSET
run_case "samples: a loop of waits with a time limit" samples timed.c 'time ended many calls' -DHOW=LOOP
run_case "sleeping threads" graphs sleeps.c - =
run_case "sleeping threads: a race" verdict gcc sleeps.c -DSTORE=rlx race
run_case "samples: sleeping threads in discrete time" late sleeps.c -g 'does not know sleep'
run_case "samples: a time limit in discrete time" late timed.c -DHOW=MUTEX 'time ends a call of the library only'
run_case "samples: a wait with a time limit in discrete time" late timed.c -DHOW=CONDITION 'time ends a call of the library only'
for how in MUTEX:4 SEMAPHORE:4 RWLOCK:4 CONDITION:8; do
	run_case "time limits, ${how%:*}: ${how#*:} graphs" graphs timed.c "-DHOW=${how%:*}" "${how#*:}"
	run_case "time limits, ${how%:*}: a race" verdict gcc timed.c "-DHOW=${how%:*} -DWEAK" race
done
run_case "time limits, C++: 8 graphs" graphs wait_for.cc - 8
run_case "time limits, C++: a race" verdict gcc wait_for.cc -DWEAK race
run_case "condition variable: 2 graphs" graphs condition.c - 2
run_case "a mutex that is locked again: 2 graphs" graphs errorcheck.c - 2
run_case "recursive mutex: 2 graphs" graphs recursive.c - 2
for how in CONDITION:2 TRYLOCK:4 SEMAPHORE:1 RWLOCK:2 BARRIER:2 ONCE:4 SPINLOCK:2; do
	run_case "calls, ${how%:*}: ${how#*:} graphs" graphs calls.c "-DHOW=${how%:*}" "${how#*:}"
	run_case "calls, ${how%:*}: a race" verdict gcc calls.c "-DHOW=${how%:*} -DWEAK" race
done
run_case "futex calls: 16 graphs" graphs futex.c - 16
run_case "futex calls: a race" verdict gcc futex.c -DWEAK race
run_case "futex calls, C++: 6 graphs" graphs future.cc - 6
run_case "futex calls, C++: a thread is not woken" verdict gcc latch.cc -std=c++20 deadlock
if RUSTC_BOOTSTRAP=1 rustc -Cunsafe-allow-abi-mismatch=sanitizer -Zexternal-clangrt --print sysroot >/dev/null 2>&1; then
	run_case "Rust: message passing" rust_graphs 2 mp.rs
	run_case "Rust: message passing, relaxed" rust_race mp.rs --cfg relaxed
	run_case "Rust: code of std" rust_graphs = once.rs
	run_case "Rust: a mutex of std" rust_graphs = mutex.rs
	run_case "Rust: the runtime linked in" rust_static
else
	echo "Rust programs: not tested, since there is no rustc that builds them"
fi
run_case "isolations" alike
for strategy in random pct pos surw; do
	run_case "strategy $strategy" strategy $strategy
done
run_case "two workers" workers
run_case "accesses of other sizes gcc" other_sizes gcc
run_case "accesses of other sizes clang" other_sizes clang
run_case "a long execution" long
run_case "code without memory orders" no_orders
run_case "code without memory orders in the program" guard
run_case "code without memory orders: seq_cst" seq_cst_object
run_case "without -fsanitize=thread" without_sanitizer
run_case "refused options" refused
finish
