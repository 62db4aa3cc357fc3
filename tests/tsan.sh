#!/bin/bash
# Programs built with -fsanitize=thread, which report their accesses through ThreadSanitizer's interface; and the messages about programs
# that contain another sanitizer.
. "$(dirname "$0")/lib.sh"
suite tsan
CASE_SECONDS=60

lib_dir=${SIMUL%/*} # libsimul.so and the stand-ins lie beside the command
objects=$top/build/obj/release/lib/preload/accesses

# build COMPILER OPT SOURCE OUT FLAGS...: builds a program that simul can run; COMPILER is gcc or clang
build() {
	local cc=$1 opt=$2 src=$3 out=$4 shared=
	shift 4
	[ "$cc" = clang ] && shared=-shared-libsan
	[[ $src == *.cc ]] && { cc=${cc/clang/clang++}; cc=${cc/gcc/g++}; }
	$cc -fsanitize=thread $shared "$opt" -g -mcx16 -pthread "$@" -o "$out" "tests/tsan/$src"
}

# ---- the interface ----

# Fails if libsimul.so and the stand-in lack a name that the runtime library $1 exports. Not counted: its interceptors of libc functions,
# its private names, hooks for inline system calls, and the other sanitizer in it (see cli/target/sanitizer.c).
names() { nm -D --defined-only "$@" | awk 'NF{print $NF}' | grep -E '^(__tsan_|__sanitizer_|Annotate|WTFAnnotate)' | grep -v '^__sanitizer_syscall_' | LC_ALL=C sort -u; }
interface() {
	local real=$1 standin=$2 missing want
	real=$(readlink -f "$real") && [ -f "$real" ] || { echo "no runtime to compare with"; return 1; }
	want=$(names "$real")
	[ "$(wc -l <<<"$want")" -gt 200 ] || { echo "the runtime has only $(wc -l <<<"$want") names"; return 1; }
	missing=$(LC_ALL=C comm -23 <(echo "$want") <(names "$lib_dir/libsimul.so" "$standin" | grep -v :))
	[ -z "$missing" ] || { echo "missing: $missing"; return 1; }
	expect_eq SONAME "$(basename "$standin")" "$(readelf -d "$standin" | sed -n 's/.*soname: \[\(.*\)\]/\1/p')"
}

# A program may be linked against any symbol of the runtime library, so each must be found under simul. Left out: its private names, hooks
# for inline system calls, the other sanitizer in it, a thread-local variable; names in no header (__isoc99_printf); names from a library
# that the program must load itself, natively too (libcrypt, libtirpc).
imports() {
	local cc=$1 real=$2 standin=$3 missing
	real=$(readlink -f "$real") && [ -f "$real" ] || { echo "no runtime to compare with"; return 1; }
	nm -D --defined-only "$real" | awk '$2 ~ /[TWVi]/ {sub("@.*", "", $NF); print $NF}' | LC_ALL=C sort -u |
		grep -vE '^(__asan_|_*interceptor|__sanitizer_syscall_|__ubsan_|__sancov_lowest_stack$|_ZN|_init$|_fini$|__isoc99_v?[fs]?n?printf$|crypt(_r)?$|xdr_)' >"$dir/names"
	[ "$(wc -l <"$dir/names")" -gt 700 ] && grep -qx atexit "$dir/names" || { echo "the runtime has only $(wc -l <"$dir/names") names"; return 1; }
	{ echo '.section .note.GNU-stack'; echo .data; sed 's/^/.quad /' "$dir/names"; } >"$dir/refer.s" && echo 'int main(void) { return 0; }' >"$dir/main.c" || return 1
	[ "$cc" = gcc ] || set -- -shared-libsan
	[ $# != 3 ] || set --
	"$cc" -fsanitize=thread "$@" -o "$dir/prog" "$dir/main.c" "$dir/refer.s" -Wl,--no-as-needed -lstdc++ || return 1
	missing=$(LD_PRELOAD=$lib_dir/libsimul.so:$standin ldd -r "$dir/prog" 2>&1 | awk '/undefined symbol/ {print $3}')
	[ -z "$missing" ] || { echo "missing: $missing"; return 1; }
}

entry() {
	gcc -w -O1 -g -I. -D_GNU_SOURCE tests/tsan/entry.c "$objects"/x86_64/tsan_entry.o "$objects"/tsan_abi.o -o "$dir/entry" &&
		"$dir/entry"
}

# ---- programs ----

# explore CC OPT SOURCE OPTIONS FLAGS...: finds no bug; the program also passes without the sanitizer's runtime and without simul
explore() {
	local cc=$1 opt=$2 src=$3 options=$4
	shift 4
	build "$cc" "$opt" "$src" "$dir/prog" "$@" || return 1
	LD_PRELOAD=$lib_dir/libsimul.so:$lib_dir/libtsan.so.2:$lib_dir/libclang_rt.tsan-x86_64.so "$dir/prog" ||
		{ echo "natively: exit status $?"; return 1; }
	show_cmd "$SIMUL run $options -- $dir/prog"
	# shellcheck disable=SC2086
	simul_run run --output "$dir/out" --json "$dir/r.json" $options -- "$dir/prog" >"$dir/run.out" 2>&1
	local status=$?
	[ $status = 0 ] && return 0
	echo "exit status $status"
	cat "$dir/run.out"
	return 1
}

complete() {
	explore "$@" && expect_eq verdict complete "$(json "$dir/r.json" verdict)"
}

events_seen() { # every operation on memory that another thread accesses is an event
	explore "$@" || return 1
	local n
	n=$(($(json "$dir/r.json" events) / $(json "$dir/r.json" executions)))
	[ $n -gt 1000 ] || { echo "only $n events in an execution"; return 1; }
}

lost_increment() {
	build "$1" "$2" counter.c "$dir/prog" $3 || return 1
	simul_run run --output "$dir/out" --json "$dir/r.json" -- "$dir/prog" >"$dir/run.out" 2>&1
	expect_eq "exit status" 1 $? &&
		expect_eq "kind of bug" assert "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq "confirmed" true "$(json "$dir/r.json" bugs.0.confirmed)" &&
		expect_eq "race on" counter "$(json "$dir/r.json" races.0.object)" &&
		expect_eq "certain" true "$(json "$dir/r.json" races.0.certain)" &&
		grep -q 'load counter' "$dir/run.out" && grep -q 'store counter' "$dir/run.out" && return 0
	cat "$dir/run.out"
	return 1
}

# races CC OPT STORE LOAD COUNT [STORE_FENCE LOAD_FENCE]: of publish.c with these memory orders; optimised, in each memory model
races() {
	local model models=sc
	[ "$2" = -O0 ] || models="sc tso pso"
	for model in $models; do
		complete "$1" "$2" publish.c "--keep-going --model $model" -w "-DSTORE_ORDER=memory_order_$3" "-DLOAD_ORDER=memory_order_$4" \
			"-DSTORE_FENCE=memory_order_${6:-relaxed}" "-DLOAD_FENCE=memory_order_${7:-relaxed}" || return 1
		expect_eq "races, $model" "$5" "$(json "$dir/r.json" races.#)" || return 1
	done
}

# cas_races CC SOURCE SUCCESS FAILURE RACES FLAGS...: whether cas_orders has races (0 or 1) with these memory orders, in each memory model
cas_races() {
	local cc=$1 src=$2 success=$3 failure=$4 races=$5 model
	shift 5
	for model in sc tso pso; do
		explore "$cc" -O1 "$src" "--keep-going --model $model" -w "-DSUCCESS_ORDER=memory_order_$success" \
			"-DFAILURE_ORDER=memory_order_$failure" "$@" || return 1
		expect_eq "races, $model" "$races" "$(($(json "$dir/r.json" races.#) > 0))" || return 1
	done
	simul_run run --fail-on-race --output "$dir/out" -- "$dir/prog" >"$dir/run.out" 2>&1
	expect_eq "exit status with --fail-on-race" "$races" $?
}

# ---- messages ----

# refuses PATTERN COMMAND...: simul prints PATTERN and exits with 2, without having started the program
refuses() {
	local pattern=$1 status
	shift
	"$@" >"$dir/out" 2>&1
	status=$?
	expect_eq "exit status" 2 $status && grep -qE -- "$pattern" "$dir/out" && return 0
	cat "$dir/out"
	return 1
}

refused() { # PATTERN COMPILER FLAGS...
	local pattern=$1
	shift
	"$@" -g -pthread -o "$dir/prog" tests/tsan/wait.c || return 1
	refuses "$pattern" simul_run run -- "$dir/prog"
}

# address COMPILER FLAGS...: simul refuses the program without the option for leaks. With the option, a correct program passes, and one with a
# use after free fails in the only order that has it, in the search and in a replay
address() {
	"$@" -fsanitize=address -g -pthread -o "$dir/prog" tests/litmus/lock2/lock2.c -D_GNU_SOURCE &&
		"$@" -fsanitize=address -g -pthread -o "$dir/freed" tests/tsan/freed.c || return 1
	refuses 'ASAN_OPTIONS=detect_leaks=0' simul_run run -- "$dir/prog" || return 1
	export ASAN_OPTIONS=detect_leaks=0:symbolize=0
	simul_run run --output "$dir/out2" --json "$dir/r.json" -- "$dir/prog" >"$dir/log" 2>&1 || { cat "$dir/log"; return 1; }
	expect_eq "bugs in the correct program" 0 "$(json "$dir/r.json" bugs.#)" || return 1
	simul_run run --output "$dir/found" --json "$dir/r.json" -- "$dir/freed" >"$dir/log" 2>&1
	expect_eq "exit status" 1 $? && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" && expect_eq kind exit "$(json "$dir/r.json" bugs.0.kind)" &&
		simul_run show "$dir"/found/*.simul | grep 'ERROR: AddressSanitizer: heap-use-after-free' || { cat "$dir/log"; return 1; }
	simul_run replay --times 2 "$dir"/found/*.simul
	expect_eq "exit status of the replay" 1 $?
}

# A library that was built with -fsanitize=thread does not name the runtime; it must not be patched as well.
library() {
	clang -fsanitize=thread -g -shared -fPIC -Dmain=entry_point -o "$dir/libwait.so" tests/tsan/wait.c &&
		echo 'int entry_point(void); int main(void) { return entry_point(); }' >"$dir/main.c" &&
		gcc -g -o "$dir/prog" "$dir/main.c" -L"$dir" -lwait -Wl,-rpath,"$dir" -Wl,--allow-shlib-undefined || return 1
	simul_run run --json "$dir/r.json" --output "$dir/out" -- "$dir/prog" &&
		simul_run run --no-patch --json "$dir/n.json" --output "$dir/out" -- "$dir/prog" || return 1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" &&
		expect_eq events "$(json "$dir/n.json" events)" "$(json "$dir/r.json" events)" &&
		[ "$(json "$dir/n.json" learning_executions)" -gt 0 ]
}

script() { # a shell starts the test
	build clang -O1 wait.c "$dir/prog" || return 1
	printf '#!/bin/sh\nexec "%s"\n' "$dir/prog" >"$dir/script" && chmod +x "$dir/script" || return 1
	simul_run run --json "$dir/r.json" --output "$dir/out" -- "$dir/script" &&
		expect_eq verdict complete "$(json "$dir/r.json" verdict)"
}

wrapper() { # a program that needs no stand-in starts the test
	build "$1" -O1 wait.c "$dir/prog" || return 1
	simul_run run --json "$dir/r.json" --output "$dir/out" -- env A=b env C=d "$dir/prog" &&
		expect_eq verdict complete "$(json "$dir/r.json" verdict)"
}

blanks() { # blanks in the name of simul's folder
	mkdir -p "$dir/a b:c" && cp "$SIMUL" "$lib_dir"/*.so "$lib_dir"/*.so.2 "$dir/a b:c/" || return 1
	build clang -O1 wait.c "$dir/prog" || return 1
	SIMUL="$dir/a b:c/simul"
	for wrapper in "" "env A=b"; do
		# shellcheck disable=SC2086
		simul_run run --json "$dir/r.json" --output "$dir/out" -- $wrapper "$dir/prog" &&
			expect_eq verdict complete "$(json "$dir/r.json" verdict)" || return 1
	done
}

run_case "interface of gcc's runtime" interface "$(gcc -print-file-name=libtsan.so)" "$lib_dir/libtsan.so.2"
run_case "imports from gcc's runtime" imports gcc "$(gcc -print-file-name=libtsan.so)" "$lib_dir/libtsan.so.2"
run_case "imports from clang's runtime" imports clang "$(clang -print-file-name=libclang_rt.tsan-x86_64.so)" "$lib_dir/libclang_rt.tsan-x86_64.so"
run_case "interface of clang's runtime" interface "$(clang -print-file-name=libclang_rt.tsan-x86_64.so)" "$lib_dir/libclang_rt.tsan-x86_64.so"
run_case "registers and flags at each function" entry
for cc in gcc clang; do
	for opt in -O0 -O2; do
		run_case "atomics $cc $opt" events_seen $cc $opt atomics.c "--executions 6"
		run_case "C++ $cc $opt" explore $cc $opt objects.cc "--executions 300" -std=c++17
		run_case "child process $cc $opt" explore $cc $opt child.c ""
		run_case "a loop that waits $cc $opt" complete $cc $opt wait.c ""
		for orders in "relaxed relaxed 1" "release relaxed 1" "relaxed acquire 1" "release acquire 0" "seq_cst seq_cst 0" "release consume 0"; do
			# shellcheck disable=SC2086
			of_many 3 "publish $orders $cc $opt" && run_case "publish $orders $cc $opt" races $cc $opt $orders
		done
	done
	for orders in "relaxed relaxed 0 release acquire" "relaxed relaxed 0 seq_cst acq_rel" "relaxed acquire 0 acq_rel relaxed" \
		"release relaxed 0 relaxed seq_cst" "relaxed relaxed 1 acquire acquire" "relaxed relaxed 1 release release"; do
		# shellcheck disable=SC2086
		of_many 3 "publish $orders $cc" && run_case "publish $orders $cc" races $cc -O2 $orders
	done
	for orders in "release acquire 0" "release relaxed 1" "acq_rel relaxed 1" "seq_cst seq_cst 0" "release consume 0" \
		"release relaxed 0 -DFENCE" "acq_rel acquire 0 -DSIZE=char" "relaxed acquire 0 -DLOOP" "acq_rel relaxed 1 -DLOOP"; do
		# shellcheck disable=SC2086
		of_many 3 "compare-and-swap $orders $cc" && run_case "compare-and-swap $orders $cc" cas_races $cc cas_orders.c $orders
	done
	run_case "compare-and-swap, C++, release acquire $cc" cas_races $cc cas_orders.cc release acquire 0
	run_case "compare-and-swap, C++, acq_rel relaxed $cc" cas_races $cc cas_orders.cc acq_rel relaxed 1
	run_case "wrapper $cc" wrapper $cc
done
# An access that the compiler makes after it has announced the others is seen in the code: a race, under two models.
unannounced() { # CC OPT KIND
	build "$1" "$2" left_out.c "$dir/prog" -w -DKIND="$3" || return 1
	local model
	for model in sc rc11; do
		simul_run run --quiet --fail-on-race --model $model --output "$dir/out" --json "$dir/r.json" -- "$dir/prog" >"$dir/run.out" 2>&1
		expect_eq "kind of the bug, $model" race "$(json "$dir/r.json" bugs.0.kind)" || return 1
	done
}
for cc in gcc clang; do
	for opt in -O0 -O2; do
		for kind in BY_VALUE BY_VALUE_BIG RESULT RESULT_BIG STRCPY STPCPY ZERO SET COMPARE PRINT; do
			of_many 4 "left out $kind $cc $opt" && run_case "left out: $kind, $cc $opt" unannounced $cc $opt $kind
		done
	done
done
run_case "lost increment clang -O0 without an option" lost_increment clang -O0
run_case "lost increment clang -O2 without an option" lost_increment clang -O2
run_case "lost increment gcc -O0" lost_increment gcc -O0
run_case "lost increment gcc -O2" lost_increment gcc -O2
run_case "lost increment clang -O2" lost_increment clang -O2 "-mllvm -tsan-instrument-read-before-write"
run_case "C++ with kernel threads" explore gcc -O1 objects.cc "--executions 50 --threads kernel" -std=c++17
run_case "C++ with a process for each execution" explore gcc -O1 objects.cc "--executions 20 --isolation exec" -std=c++17
run_case "library" library
run_case "script" script
run_case "blanks" blanks
run_case "clang's static runtime" refused '-shared-libsan' clang -fsanitize=thread
run_case "gcc's static runtime" refused 'without -static-libtsan' gcc -fsanitize=thread -static-libtsan
run_case "clang: thread and undefined" refused 'without -fsanitize=undefined' clang -fsanitize=thread,undefined -shared-libsan
run_case "gcc: thread and undefined" explore gcc -O1 wait.c "" -fsanitize=undefined
clang_runtime=$(dirname "$(clang -print-file-name=libclang_rt.asan-x86_64.so)")
CASE_EVERY=1 run_case "AddressSanitizer, gcc" address gcc
CASE_EVERY=1 run_case "AddressSanitizer, gcc, linked in" address gcc -static-libasan
CASE_EVERY=1 run_case "AddressSanitizer, clang" address clang
CASE_EVERY=1 run_case "AddressSanitizer, clang, shared" address clang -shared-libasan "-Wl,-rpath,$clang_runtime"
run_case "LeakSanitizer" refused 'fsanitize=leak' gcc -fsanitize=leak
finish
