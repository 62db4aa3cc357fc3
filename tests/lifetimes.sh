#!/bin/bash
# Random programs that free blocks with locks in them while other threads may use these (tests/lifetimes/lifetimes.py): simul reports a use after
# free in those in which an oracle that tries every interleaving finds one, and in no other one. Broken variants of the library do not.
#
#   LIFETIMES=N tests/lifetimes.sh   N programs (default 400), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite lifetimes
CASE_SECONDS=600

programs=$((${LIFETIMES:-400} * ${RANDOM_PERCENT:-100} / 100))

random_programs tests/lifetimes/lifetimes.py $programs 20 "--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--model tso" "--jobs 2" "--strategy exhaustive"
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: a free is not compared with earlier uses" broken_random tests/lifetimes/lifetimes.py preload/memory/object_uses.c 'if (u->thread != me &&' 'if (0 &&' 1
	run_case "broken: a use after a free does not count as a conflict" broken_random tests/lifetimes/lifetimes.py preload/memory/object_memory.c 'if (in_heap(addr))' 'if (0)' 1
	run_case "broken: memory is not checked when the call has waited" \
		broken_random tests/lifetimes/lifetimes.py preload/memory/object_memory.c 'if (suspect(addr) && world_object_info' 'if (0 && world_object_info' 2
fi
finish
