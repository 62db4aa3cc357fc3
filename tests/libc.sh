#!/bin/bash
# State that libc keeps between calls: random programs have exactly the outcomes that the calls have when they are made in every order (tests/libc/libc.py).
# Broken variants of the library do not.
#
#   LIBC_PROGRAMS=N tests/libc.sh   N programs (default 1000), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite libc
CASE_SECONDS=900

programs=$((${LIBC_PROGRAMS:-1000} * ${RANDOM_PERCENT:-100} / 100))
random_programs tests/libc/libc.py $programs 20 "--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--strategy optimal --model tso" "--strategy optimal --shuffle 5" "--strategy exhaustive"
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: calls of one state have no order" broken_random tests/libc/libc.py preload/libc/state.c 'libc_touch_object(r->extent, UPDATE | MEM_ATOMIC, c->pc);' ';' 1
	run_case "broken: nothing is read" broken_random tests/libc/libc.py preload/libc/state.c 'libc_touch_object(r->extent, MEM_READ, c->pc);' ';' 1
	run_case "broken: calls take no lock" broken_random tests/libc/libc.py preload/libc/state.c 'if (!lock || !ctl_enter_event())' 'if ((uintptr_t)lock + 1)' 1 40
fi
finish
