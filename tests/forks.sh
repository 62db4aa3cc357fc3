#!/bin/bash
# Random programs that fork while other threads write, lock and post (tests/forks/forks.py): simul finds the exit statuses and deadlocks that an
# oracle finds which tries every interleaving. Broken variants of the library do not.
#
#   FORKS=N tests/forks.sh   N programs (default 100), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite forks
CASE_SECONDS=600

programs=$((${FORKS:-100} * ${RANDOM_PERCENT:-100} / 100))
[ $programs -ge 5 ] || programs=5
batch=20
[ $programs -ge $batch ] || batch=$((programs > 2 ? programs : 3))

compare() { # SEED PROGRAMS OPTIONS
	SIMUL=$SIMUL timeout $CASE_SECONDS python3 tests/forks/forks.py --seed "$1" --programs "$2" --options="$3" --dir "$dir"
}

# broken: some of the programs of SEED must differ from the oracle with a library in which TO replaces FROM in FILE.
broken() { # FILE FROM TO SEED
	broken_build "$1" "$2" "$3" || return 1
	if SIMUL=$dir/tree/build/simul timeout $CASE_SECONDS python3 tests/forks/forks.py --seed "$4" --programs 20 --dir "$dir" >"$dir/said" 2>&1; then
		echo "the comparison did not detect the broken library"
		return 1
	fi
	grep ': [1-9][0-9]* differ$' "$dir/said" && rm -rf "$dir/tree"
}

seed=${SEED:-0}
options=("--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--model tso" "--isolation exec")
for ((left = programs, i = 0; left > 0; left -= batch, i++)); do
	o=${options[i % ${#options[@]}]}
	run_case "seed $((++seed)), $o" compare $seed $((left < batch ? left : batch)) "$o"
done
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: children note no reads" broken preload/memory/child_reads.c 'if (end < addr || size >> 40 || t->full)' 'if (1)' 1
fi
finish
