#!/bin/bash
# Third-party programs from Debian packages: they write the same with and without simul.
. "$(dirname "$0")/lib.sh"
suite packages

need() {
	command -v "$1" >/dev/null && return
	echo "$1 is not installed (make deps-test installs it)"
	exit 77
}

# Text that compresses but is not trivial; the same bytes every time.
make_data() { awk -v n="$1" 'BEGIN { x = 1; for (i = 0; i < n; i++) { x = (x * 1103515245 + 12345) % 2147483648; print i, x, "the quick brown fox" } }'; }

# compressor SUFFIX LINES THREADS PROGRAM ARGS...: compresses "data" in place of a file natively and under simul.
export SIMUL_TEST_LEAVE_FILES=1 # keeps the written files, which simul would otherwise undo: these cases compare them

compressor() {
	local suffix=$1 lines=$2 threads=$3 prog=$4 status
	shift 4
	need "$prog"
	cd "$dir" || return 1
	make_data "$lines" >data
	"$prog" "$@" -k -f data || { echo "$prog fails natively"; return 1; }
	mv "data$suffix" native
	show_cmd "$SIMUL run --executions 20 --threads $threads -- $prog $* -k -f data"
	simul_run run --executions 20 --threads "$threads" --output out --json r.json -- "$(command -v "$prog")" "$@" -k -f data >run.out 2>&1
	status=$?
	[ $status = 0 ] || { echo "exit status $status"; cat run.out; return 1; }
	expect_eq executions 20 "$(json r.json executions)" || { cat run.out; return 1; }
	cmp native "data$suffix" || return 1
	"$prog" -d -c "data$suffix" | cmp - data
}

# decompressor SUFFIX LINES PROGRAM ARGS...: unpacks under simul what the program compressed.
decompressor() {
	local suffix=$1 lines=$2 prog=$3 status
	shift 3
	need "$prog"
	cd "$dir" || return 1
	make_data "$lines" >data
	cp data native
	"$prog" -k -f data && rm data || return 1
	show_cmd "$SIMUL run --executions 20 -- $prog -d $* -k -f data$suffix"
	simul_run run --executions 20 --output out --json r.json -- "$(command -v "$prog")" -d "$@" -k -f "data$suffix" >run.out 2>&1
	status=$?
	[ $status = 0 ] || { echo "exit status $status"; cat run.out; return 1; }
	cmp native data
}

# passes EXECUTIONS PROGRAM ARGS...: EXECUTIONS executions report no bug of any kind
passes() {
	local executions=$1 prog=$2 status
	shift 2
	need "$prog"
	make_data 100 >"$dir/data"
	prog=$(type -P "$prog") && "$prog" "$@" >"$dir/native" || { echo "$prog fails natively"; return 1; }
	show_cmd "$SIMUL run --executions $executions -- $prog $*"
	simul_run run --executions "$executions" --output "$dir/out" --json "$dir/r.json" -- "$prog" "$@"
	status=$?
	expect_eq "exit status" 0 $status && expect_eq executions "$executions" "$(json "$dir/r.json" executions)" && expect_eq bugs 0 "$(json "$dir/r.json" bugs.#)"
}

# Python's threads share the interpreter's own data.
python_threads='
import threading, queue
q, done = queue.Queue(), []
t = [threading.Thread(target=lambda: done.append(q.get() * 2)) for _ in range(2)]
[x.start() for x in t]
[q.put(i) for i in range(2)]
[x.join() for x in t]
assert sorted(done) == [0, 2], done'

gtest_build() {
	echo '#include <gtest/gtest.h>' | g++ -x c++ -fsyntax-only - 2>/dev/null || {
		echo "GoogleTest is not installed (make deps-test installs it)"
		exit 77
	}
	# the first case compiles it for all
	flock "$work/gtest.lock" sh -c '[ -x "$1" ] || g++ -g -O1 -pthread -o "$1" tests/packages/gtest_threads.cc -lgtest -lgtest_main' - "$gtest"
}

gtest_passes() {
	local status
	gtest_build || return 1
	"$gtest" || { echo "fails natively"; return 1; }
	show_cmd "$SIMUL run --executions 20 --threads $1 -- $gtest"
	simul_run run --executions 20 --threads "$1" --output "$dir/out" --json "$dir/r.json" -- "$gtest"
	status=$?
	expect_eq "exit status" 0 $status && expect_eq executions 20 "$(json "$dir/r.json" executions)"
}

# A test that fails in some schedules is found, and its own message is in the report.
gtest_fails() {
	local status
	gtest_build || return 1
	simul_run run --output "$dir/out" --json "$dir/r.json" -- "$gtest" --gtest_also_run_disabled_tests --gtest_filter='Race.*' >"$dir/run.out" 2>&1
	status=$?
	cat "$dir/run.out"
	expect_eq "exit status" 1 $status && expect_eq kind exit "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" &&
		expect_eq where "gtest_threads.cc:$(grep -n 'EXPECT_EQ(second' tests/packages/gtest_threads.cc | cut -d: -f1)" \
			"$(json "$dir/r.json" bugs.0.where)" &&
		"$SIMUL" show "$(json "$dir/r.json" bugs.0.recording)" | grep -q 'FAILED.*SecondThreadSeesTheFirst'
}

# plugin NAME [LINK OPTIONS... FOLDER]: the race in a library that is loaded by dlopen is seen, and replays
plugin() {
	local name=$1 folder=.
	shift
	[ $# -gt 0 ] && folder=${*: -1} && set -- "${@:1:$#-1}"
	mkdir -p "$dir/$folder" && cp tests/packages/plugin* "$dir" && cd "$dir" || return 1
	gcc -O2 -g -shared -fPIC -o "$folder/libplugin.so" plugin.c &&
		gcc -O2 -g -pthread "-DPLUGIN=\"$name\"" -o main plugin_main.c "$@" || return 1
	show_cmd "$SIMUL run -- ./main"
	simul_run run --keep-going --output out --json r.json -- ./main
	expect_eq "exit status" 1 $? && expect_eq kind assert "$(json r.json bugs.0.kind)" &&
		expect_eq "distinct traces" 4 "$(json r.json distinct_traces)" &&
		expect_eq "different races" 1 "$(json r.json races.#)" || return 1
	simul_run replay "$(find out -name '*.simul' | head -n 1)"
	expect_eq "exit status of the replay" 1 $?
}

# A link to a program that lies elsewhere, beside its library, as build systems and alternatives make them.
linked_program() {
	cp tests/packages/plugin* "$dir" && mkdir -p "$dir/there" && cd "$dir" || return 1
	gcc -O2 -g -shared -fPIC -o there/libplugin.so plugin.c &&
		gcc -O2 -g -pthread '-DPLUGIN="libplugin.so"' -o there/main plugin_main.c -Wl,--no-as-needed -Lthere -lplugin "-Wl,-rpath,\$ORIGIN" || return 1
	ln -s there/main linked
	simul_run run --keep-going --output out --json r.json -- ./linked
	expect_eq "exit status" 1 $? && expect_eq "distinct traces" 4 "$(json r.json distinct_traces)"
}

# libtool makes a shell script that sets up the environment and execs the real program.
libtool_wrapper() {
	local status
	need libtool
	cp tests/packages/abba* "$dir" && cd "$dir" || return 1
	{
		libtool --tag=CC --mode=compile gcc -g -pthread -c abba_lib.c -o abba_lib.lo &&
			libtool --tag=CC --mode=link gcc -g -pthread -o libabba.la abba_lib.lo -rpath /usr/local/lib &&
			libtool --tag=CC --mode=compile gcc -g -pthread -c abba_main.c -o abba_main.o &&
			libtool --tag=CC --mode=link gcc -g -pthread -o abba abba_main.o libabba.la
	} >build.out 2>&1 || { cat build.out; return 1; }
	head -n 1 abba | grep -q '^#!' || { echo "libtool made no wrapper"; return 1; }
	simul_run run --output out --json r.json -- ./abba
	status=$?
	expect_eq "exit status" 1 $status && expect_eq kind deadlock "$(json r.json bugs.0.kind)" || return 1
	simul_run replay "$(find out -name '*.simul' | head -n 1)"
	expect_eq "exit status of the replay" 1 $?
}

gtest=$work/gtest_threads
# also NAME THREADS: `make test` runs one of the compressors with fibers and one with kernel threads
also() { one_of "$1 $2" "pigz $2" "pbzip2 $2" "xz $2" "zstd $2"; }
for threads in fiber kernel; do
	also pigz $threads && run_case "pigz $threads" compressor .gz 20000 $threads pigz -p 3 -b 128
	also pbzip2 $threads && run_case "pbzip2 $threads" compressor .bz2 10000 $threads pbzip2 -p3 -b1 -q
	also xz $threads && run_case "xz $threads" compressor .xz 10000 $threads xz -T2 --block-size=100KiB -1
	also zstd $threads && run_case "zstd $threads" compressor .zst 60000 $threads zstd -T2 -1 -q
	[ $threads = fiber ] || of_many 3 "GoogleTest $threads" && run_case "GoogleTest $threads" gtest_passes $threads
done
run_case "lbzip2" compressor .bz2 100 fiber lbzip2 -n 2 -1 -q
run_case "plzip" compressor .lz 300 fiber plzip -n 2 -0 -B 8KiB -q
run_case "pixz" passes 20 pixz -1 -p 2 "$work/pixz/data" "$work/pixz/data.xz"
run_case "Python's threads" passes 10 /usr/bin/python3 -c "$python_threads"
run_case "git grep" passes 10 git --no-pager grep --no-index --threads 2 -l pthread_create -- tests/packages
one_of "pigz -d" "pigz -d" "pbzip2 -d" && run_case "pigz -d" decompressor .gz 20000 pigz
one_of "pbzip2 -d" "pigz -d" "pbzip2 -d" && run_case "pbzip2 -d" decompressor .bz2 10000 pbzip2 -p2 -q
run_case "GoogleTest, a test that fails in some schedules" gtest_fails
run_case "libtool wrapper" libtool_wrapper
run_case "link to a program with a library beside it" linked_program
run_case "plugin named by path" plugin ./libplugin.so
run_case "plugin in the program's RUNPATH" plugin libplugin.so -Wl,--enable-new-dtags "-Wl,-rpath,\$ORIGIN/plugins" plugins
finish
