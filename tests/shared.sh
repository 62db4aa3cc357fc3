#!/bin/bash
# What threads share besides memory: random programs with calls on files, directories, descriptors and state of the process have exactly the outcomes
# that the calls have when they are made in every order (tests/shared/shared.py). Broken variants of the library do not. Programs of which each
# kind of state makes a pair: with calls that meet, and with calls that do not (tests/shared/pairs).
#
#   SHARED_PROGRAMS=N tests/shared.sh   N programs (default 1000), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite shared
CASE_SECONDS=900

gcc -g -O1 -pthread -w -I. -o "$work/calls" tests/shared/calls.c || exit 1

# pair TRACES OPERATIONS...: the threads with these calls have this number of traces, whichever thread comes first
pair() {
	local order
	for order in "" 1 2; do
		rm -rf "$dir/scratch" && mkdir -p "$dir/scratch" || return 1
		expect_eq "traces of ${*:2}${order:+, shuffled with $order}" "$1" "$(
			exec 9>/dev/null
			simul_run run --quiet --strategy optimal ${order:+--shuffle $order} --json "$dir/r.json" --output "$dir/out" -- \
				"$work/calls" 9 "$dir/scratch" "${@:2}" >"$dir/said" 2>&1
			expect_eq verdict complete "$(json "$dir/r.json" verdict)" >&2
			json "$dir/r.json" distinct_traces
		)"
	done
}
# Two calls that meet have two orders, two that do not have one. With two calls against one there are three orders, or fewer where calls commute.
signs=0
while read -r traces operations; do
	[[ $traces == [0-9]* ]] || continue
	name=$operations
	[[ $name == *[[:alnum:]]* ]] || name="signs $((++signs)): $operations"
	# shellcheck disable=SC2086
	run_case "$name" pair "$traces" $operations
done <tests/shared/pairs

programs=$((${SHARED_PROGRAMS:-1000} * ${RANDOM_PERCENT:-100} / 100))
random_programs tests/shared/shared.py $programs 20 "--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--strategy optimal --model tso" "--strategy optimal --shuffle 5" "--strategy exhaustive"
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: adding does not conflict with reading" broken_random tests/shared/shared.py preload/kernel/resources.c 'if (u->past[i].use != use || use == RESOURCE_CHANGE)' 'if (use == RESOURCE_CHANGE && u->past[i].use == use)' 1
	run_case "broken: mixed adds are not seen" broken_random tests/shared/shared.py preload/kernel/resources.c 'u->mixed = !commute;' 'u->mixed = false;' 8
	run_case "broken: directories above are not read" broken_random tests/shared/shared.py preload/kernel/resource_files.c 'add_entry(r, path, RESOURCE_READ);' ';' 7
	run_case "broken: what is behind an entry is not known" broken_random tests/shared/shared.py preload/kernel/resources.c 'add_known(&now);' 'if (0) add_known(&now);' 1
	run_case "broken: names of a directory are not added" broken_random tests/shared/shared.py preload/kernel/effects.c '.directory = e->names,' '.directory = RESOURCE_UNUSED,' 2
	run_case "broken: a closed number is not looked up" broken_random tests/shared/shared.py preload/kernel/resources.c '(u->closed || conflicts(u, use, false))' '(0)' 3
fi
finish
