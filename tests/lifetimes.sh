#!/bin/bash
# Random programs that free blocks with locks in them while other threads may use these (tests/lifetimes/lifetimes.py): simul reports a use after
# free in those in which an oracle that tries every interleaving finds one, and in no other one. Broken variants of the library do not.
#
#   LIFETIMES=N tests/lifetimes.sh   N programs (default 400), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite lifetimes
CASE_SECONDS=600

programs=$((${LIFETIMES:-400} * ${RANDOM_PERCENT:-100} / 100))
batch=20
[ $programs -ge $batch ] || batch=$((programs > 2 ? programs : 3))

compare() { # SEED PROGRAMS OPTIONS
	SIMUL=$SIMUL timeout $CASE_SECONDS python3 tests/lifetimes/lifetimes.py --seed "$1" --programs "$2" --options="$3" --dir "$dir"
}

# broken: some of the programs of SEED must differ from the oracle with a library in which TO replaces FROM in FILE.
broken() { # FILE FROM TO SEED
	broken_build "$1" "$2" "$3" || return 1
	if SIMUL=$dir/tree/build/simul timeout $CASE_SECONDS python3 tests/lifetimes/lifetimes.py --seed "$4" --programs 20 --dir "$dir" >"$dir/said" 2>&1; then
		echo "the comparison did not detect the broken library"
		return 1
	fi
	grep ': [1-9][0-9]* differ$' "$dir/said" && rm -rf "$dir/tree"
}

seed=${SEED:-0}
options=("--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--model tso" "--jobs 2" "--strategy exhaustive")
for ((left = programs, i = 0; left > 0; left -= batch, i++)); do
	o=${options[i % ${#options[@]}]}
	run_case "seed $((++seed)), $o" compare $seed $((left < batch ? left : batch)) "$o"
done
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: a free is not compared with earlier uses" broken preload/memory/object_uses.c 'if (u->thread != me &&' 'if (0 &&' 1
	run_case "broken: a use after a free does not count as a conflict" broken preload/memory/object_memory.c 'if (in_heap(addr))' 'if (0)' 1
	run_case "broken: memory is not checked when the call has waited" \
		broken preload/memory/object_memory.c 'if (suspect(addr) && world_object_info' 'if (0 && world_object_info' 2
fi
finish
