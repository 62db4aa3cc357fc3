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

random_programs tests/forks/forks.py $programs 20 "--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--model tso" "--isolation exec"
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: children note no reads" broken_random tests/forks/forks.py preload/memory/child_reads.c 'if (end < addr || size >> 40 || t->full)' 'if (1)' 1
fi
finish
