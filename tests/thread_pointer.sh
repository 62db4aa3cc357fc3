#!/bin/bash
# Thread pointers that are set at their first use (preload/control/thread_pointer.h): programs that use thread-local variables, errno, exceptions, signals,
# forks or cancellation have the same results and counts as with a system call at each switch.
#
#   tests/thread_pointer.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite thread_pointer
only=${1-}

new_case() { [[ $1 == *"$only"* ]] || return 0; run_case "$@"; }

# shellcheck disable=SC2034
first=eager second=lazy
how_options() { export SIMUL_TEST_FS=$1; options="--jobs 1 ${also-}"; }
. tests/same.sh

programs="values rarely prints exceptions signals faults blocked forks cancels contexts reads large"

# passes PROGRAM OPTIONS...: it passes natively, and completely under simul, with equal results
passes() {
	"$1" >"$dir/native" || { echo "fails natively"; return 1; }
	same "$@" && expect_eq verdict complete "$(value lazy verdict)" && [ "$(value lazy distinct_traces)" -gt 1 ]
}

# The process of an execution starts in different ways.
forked() { local also="--isolation fork"; passes "$@"; }
rewound() { local also="--isolation rewind --no-snapshots"; passes "$@"; }
at_points() { local also="--isolation rewind"; SIMUL_TEST_POINTS=2 passes "$@"; }
at_snapshots() { local also="--isolation fork"; SIMUL_TEST_SNAPSHOTS=2 passes "$@"; }

# All traces, each once.
count() {
	local traces=$1
	shift
	search lazy "$@" && expect_eq traces "$traces" "$(value lazy distinct_traces)" && expect_eq blocked 0 "$(value lazy blocked)"
}
shared() {
	SIMUL_TEST_FS=lazy SIMUL_TEST_SHARE_AT_ONCE=1 simul_run run --strategy optimal --keep-going --jobs 2 --output "$dir/out" --json "$dir/2.json" \
		-- "$2" >"$dir/log" 2>&1
	expect_eq jobs 2 "$(value 2 jobs)" && expect_eq traces "$1" "$(value 2 distinct_traces)"
}

# The failure is found, confirmed, and replayed. Replays set the pointer at each switch.
fails() {
	same "$work/bin/fails" && expect_eq verdict bug "$(value lazy verdict)" || return 1
	SIMUL_TEST_FS=lazy simul_run replay "$dir"/lazy.out/*.simul >"$dir/replay.log" 2>&1
	expect_eq "exit status" 1 $? && grep -q "shared_count != 21" "$dir/replay.log"
}
wild() { same "$work/bin/wild $*" && expect_eq bug crash "$(value lazy bugs.0.kind)"; }

# A search makes few of the system calls: at most three for an execution, of 49 events of which some 13 are not restored; and few faults. Without the
# lazy way there are more.
runs=2000
calls() {
	SIMUL_TEST_FS=$1 strace -f -e trace=arch_prctl -o "$dir/calls" "$SIMUL" run --strategy optimal --jobs 1 --executions $runs --output "$dir/out" \
		-- "$work/bin/rounds" >"$dir/log" 2>&1
	grep -q "^executions: $runs$" "$dir/log" || { cat "$dir/log"; return 1; }
	sets=$(grep -c 'arch_prctl(ARCH_SET_FS' "$dir/calls") faults=$(grep -c -- '--- SIGSEGV' "$dir/calls")
	echo "$sets system calls, $faults faults"
}
few() { calls lazy && [ "$sets" -le $((3 * runs)) ] && [ "$faults" -le $((runs / 10)) ]; }
many() { calls eager && [ "$sets" -ge $((5 * runs)) ] && [ "$faults" -le 10 ]; }

# The value of the variable.
way() {
	local status=$1 text=$3
	SIMUL_TEST_FS=$2 simul_run run --output "$dir/out" -- "$work/bin/rarely" >"$dir/log" 2>&1
	expect_eq "exit status" "$status" $? && grep -q -- "$text" "$dir/log" || { cat "$dir/log"; return 1; }
}
has_instruction() { python3 -c 'import ctypes; l = ctypes.CDLL(None); l.getauxval.restype = ctypes.c_ulong; exit(not l.getauxval(ctypes.c_ulong(26)) & 2)'; }

mkdir -p "$work/bin"
for p in $programs wild fails; do
	if [ -f tests/thread_pointer/$p.cpp ]; then
		g++ -g -O1 -pthread -o "$work/bin/$p" tests/thread_pointer/$p.cpp || exit 1
	else
		build "$work/bin/$p" tests/thread_pointer/$p.c || exit 1
	fi
done
build "$work/bin/rounds" -DN=2 -DR=10 tests/golden/mutex.c || exit 1
gcc -g -O1 -pthread -I. -DLOCK_KIND=FUTEX -DSPINS=10 -o "$work/bin/park" tests/locks/counted.c || exit 1 # its loops give up
build "$work/bin/three" -DN=3 -DR=2 tests/golden/mutex.c || exit 1

for p in $programs; do
	new_case "$p" passes "$work/bin/$p"
	new_case "$p, forked" forked "$work/bin/$p"
	new_case "$p, rewound" rewound "$work/bin/$p"
	new_case "$p, points" at_points "$work/bin/$p"
	new_case "$p, snapshots" at_snapshots "$work/bin/$p"
done
new_case "other threads run during a handler" same "$work/bin/faults 8" --strategy random --executions 60
new_case "trials in a fork" count 1054 "$work/bin/park 2 2"
new_case "three threads" count 90 "$work/bin/three"
new_case "two workers" shared 90 "$work/bin/three"
new_case "a failure" fails
new_case "wild pointer" wild
new_case "wild pointer, thread pointer used" wild used
if command -v strace >/dev/null; then
	new_case "few calls" few lazy
	new_case "many calls" many
fi
new_case "a value that does not exist" way 2 x "SIMUL_TEST_FS=x: it must be lazy, eager or fsgsbase"
if has_instruction; then new_case "by an instruction" way 0 fsgsbase "complete"; else new_case "no instruction" way 2 fsgsbase "does not offer"; fi

tail -n +2 tests/golden/golden.tsv >"$work/golden.tsv"
while IFS=$'\t' read -r name source defines sc tso _; do
	[ "$sc" -le 200 ] && of_many 6 "$name" || continue
	[ "$defines" = - ] && defines=
	prog=$work/bin/${name//\//_}
	# shellcheck disable=SC2086
	build "$prog" $defines tests/golden/"$source" || { run_case "$name compiles" false; continue; }
	new_case "$name" count "$sc" "$prog"
	[ "$tso" -gt 200 ] || new_case "$name tso" count "$tso" "$prog" --model tso
done <"$work/golden.tsv"
finish
