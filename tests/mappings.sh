#!/bin/bash
# Calls that change what is mapped: random programs with such calls and accesses of the pages have exactly the outcomes that there are when the
# operations are made in every order (tests/mappings/mappings.py). Broken variants of the library do not.
#
#   MAPPING_PROGRAMS=N tests/mappings.sh   N programs (default 2000), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite mappings
CASE_SECONDS=900

compare() { # SEED PROGRAMS OPTIONS
	SIMUL=$SIMUL timeout $CASE_SECONDS python3 tests/mappings/mappings.py --seed "$1" --programs "$2" --options="$3" --dir "$dir"
}

# broken: some of the programs of SEED must differ with a library in which TO replaces FROM in FILE.
broken() { # FILE FROM TO SEED
	broken_build "$1" "$2" "$3" || return 1
	if SIMUL=$dir/tree/build/simul timeout $CASE_SECONDS python3 tests/mappings/mappings.py --seed "$4" --programs 20 --dir "$dir" >"$dir/said" 2>&1; then
		echo "the comparison did not detect the broken library"
		return 1
	fi
	grep ': [1-9][0-9]* differ$' "$dir/said" && rm -rf "$dir/tree"
}

programs=$((${MAPPING_PROGRAMS:-2000} * ${RANDOM_PERCENT:-100} / 100)) seed=${SEED:-0}
options=("--strategy auto" "--strategy optimal" "--strategy source --shuffle 3" "--strategy optimal --model tso" "--strategy exhaustive")
for ((left = programs, i = 0; left > 0; left -= 20, i++)); do
	o=${options[i % ${#options[@]}]}
	run_case "random programs, seed $((++seed)), $o" compare $seed $((left < 20 ? left : 20)) "$o"
done
run_case "broken: a thread's own change hides others" broken preload/memory/changes.c 'conflicting > 1' 'conflicting > 9' 2
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: files of another length are not changes" broken preload/kernel/mapped_files.c '	unsigned n = find_changed(c, r);' '	unsigned n = 0;' 1
fi
finish
