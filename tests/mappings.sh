#!/bin/bash
# Calls that change what is mapped: random programs with such calls and accesses of the pages have exactly the outcomes that there are when the
# operations are made in every order (tests/mappings/mappings.py). Broken variants of the library do not.
#
#   MAPPING_PROGRAMS=N tests/mappings.sh   N programs (default 2000), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite mappings
CASE_SECONDS=900

programs=$((${MAPPING_PROGRAMS:-2000} * ${RANDOM_PERCENT:-100} / 100))
random_programs tests/mappings/mappings.py $programs 20 "--strategy auto" "--strategy optimal" "--strategy source --shuffle 3" "--strategy optimal --model tso" "--strategy exhaustive"
of_group() { GROUP=$1 "${@:2}"; } # of_group GROUP COMMAND...
run_case "broken: a thread's own change hides others" of_group TeF broken_random tests/mappings/mappings.py preload/memory/changes.c 'conflicting > 1' 'conflicting > 9' 1 30
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: two addresses are two pieces of memory" broken_random tests/mappings/mappings.py preload/kernel/shared_pages.c '			alias_add(at, to, key);' '			alias_lost = false;' 1
	run_case "broken: files of another length are not changes" broken_random tests/mappings/mappings.py preload/kernel/mapped_files.c '	unsigned n = find_changed(c, r);' '	unsigned n = 0;' 1
fi
finish
