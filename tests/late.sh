#!/bin/bash
# Random native programs with flags in stack frames, thread-local storage and on the heap that become shared late: simul finds what brute
# force finds, with each value of the flag (tests/late/late.py). Broken variants of the library do not.
#
#   LATE_PROGRAMS=N tests/late.sh   N programs, each under each memory model (default 600), RANDOM_PERCENT of them; LATE_BATCH=N of them in a
#                                   binary and a case (default 20), SEED=N for others
. "$(dirname "$0")/lib.sh"
suite late
CASE_SECONDS=600

programs=$((${LATE_PROGRAMS:-600} * ${RANDOM_PERCENT:-100} / 100))
batch=${LATE_BATCH:-20}
[ $programs -ge $batch ] || batch=$((programs > 2 ? programs / 3 : 1))

export BRUTE=$work/brute
gcc -O2 -Wall -Wextra -o "$BRUTE" tests/late/brute.c || { run_case "brute.c compiles" false; finish; }

compare() { # SEED FLAGS PROGRAMS
	SIMUL=$SIMUL timeout $CASE_SECONDS python3 tests/late/late.py --seed "$1" --flags="$2" --programs "$3" --dir "$dir"
}

# broken: program N of SEED must differ from brute force with a library in which TO replaces FROM in FILE.
broken() { # FILE FROM TO SEED N
	broken_build "$1" "$2" "$3" || return 1
	if SIMUL=$dir/tree/build/simul timeout $CASE_SECONDS python3 tests/late/late.py --model sc --seed "$4" --programs $(($5 + 1)) --only "$5" --dir "$dir" >"$dir/out" 2>&1; then
		echo "the comparison did not detect the broken library"
		return 1
	fi
	grep ', 1 differ$' "$dir/out" && rm -rf "$dir/tree"
}

seed=${SEED:-0}
flags=(-O1 -O2 "-O0" "-O1 -fstack-protector-all")
for ((left = programs; left > 0; left -= batch)); do
	f=${flags[seed % ${#flags[@]}]}
	run_case "seed $((++seed)), $f" compare $seed "$f" $((left < batch ? left : batch))
done
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: shared bytes of the stack count as zeros" \
		broken preload/memory/spin_state.c 'return hash_mix(hash_mix(h, w), shared);' 'return hash_mix(h, w);' 2 0
	run_case "broken: no hook sees the thread's own thread-local variables" \
		broken preload/patch/x86_64/decode_access.c 'return op->mem.segment == ZYDIS_REGISTER_FS' 'return false' 2 2
	run_case "broken: what others write to the stack is not noticed" \
		broken preload/memory/spin.c '== s->stack.hash)' '!= 0)' 5 5
fi
finish
