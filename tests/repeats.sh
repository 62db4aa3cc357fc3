#!/bin/bash
# Loops that read a number of times and then give up (docs/await.md, "Spins that give up"): repeated reads are left out. Random programs have the same outcomes as
# with each read an event (tests/repeats/repeats.py), and as many traces with more turns; broken variants of simul do not.
#
#   REPEATS_PROGRAMS=N tests/repeats.sh   N random programs (default 1000), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite repeats
CASE_SECONDS=900

for name in park use program; do
	gcc -g -O1 -Wall -Wextra -pthread -o "$work/$name" tests/repeats/$name.c || exit 1
done

# search OPTIONS... -- PROGRAM...: fills $dir/r.json and $dir/said
search() { simul_run run --quiet --json "$dir/r.json" --output "$dir/out" "$@" >"$dir/said" 2>&1; }
said() { grep -qF -- "$1" "$dir/said" || { echo "nothing says '$1'"; cat "$dir/said"; return 1; }; }

# traces PROGRAM TRACES ARGUMENTS...: complete, with these words
traces() {
	search -- "$work/$1" "${@:3}"
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq traces "$2" "$(json "$dir/r.json" distinct_traces)" && said "repeated reads of 1 loop that gives up left out"
}
for turns in 3 10 100; do run_case "park, $turns turns, 1 round" traces park 22 $turns 1; done
for turns in 3 10 100; do run_case "park, $turns turns, 2 rounds" traces park 4342 $turns 2; done

explored() {
	search --own-locks explore -- "$work/park" 10 1
	expect_eq traces 56 "$(json "$dir/r.json" distinct_traces)" && ! grep -q "left out" "$dir/said"
}
run_case "--own-locks explore" explored

# finds OPTIONS...: the thread that sleeps is not woken: a deadlock, which replays
finds() {
	gcc -g -O1 -pthread -DFORGET -o "$dir/forgets" tests/repeats/park.c || return 1
	search "$@" -- "$dir/forgets" 10 1
	expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}
for options in "" "--jobs 2" "--isolation fork" "--strategy optimal --shuffle 3" "--strategy pct" "--model tso" "--threads kernel"; do
	# shellcheck disable=SC2086
	run_case "a forgotten wake, $options" finds $options
done

# What depends on the number of turns is explored: the check fails, and all reads are events.
used() {
	search -- "$work/use" "$1"
	expect_eq kind assert "$(json "$dir/r.json" bugs.0.kind)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}
for how in sum turns late; do run_case "the program uses $how" used $how; done

# A recording keeps which reads were left out. A certificate does not have it.
certificate() {
	search --passing "$dir/passing.simul" -- "$work/park" 10 1
	! simul_run certify -o "$dir/c" --from "$dir/passing.simul" -- "$work/park" 10 1 >"$dir/said" 2>&1 || return 1
	said "repeated reads left out"
}
run_case "a certificate is refused" certificate

programs=$((${REPEATS_PROGRAMS:-1000} * ${RANDOM_PERCENT:-100} / 100))
random_programs tests/repeats/repeats.py $programs 20 "--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--strategy exhaustive" "--strategy trust" "--strategy optimal --jobs 2"
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: what keeps the thread in the loop does not matter" broken_random tests/repeats/repeats.py sched/repeats.c 't->check[i].key && t->check[i].value != next' '0' 1 60
	run_case "broken: the turn at which it leaves does not matter" broken_random tests/repeats/repeats.py preload/memory/repeat.c 'r != WHAT_IF_LEAVES' 'r == WHAT_IF_UNKNOWN' 1 100
	run_case "broken: what it wrote does not matter" broken_random tests/repeats/repeats.py preload/life/what_if.c 'h = hash_mix(h, *(const unsigned char *)(trial.wrote[i].addr + k));' 'h = hash_mix(h, k);' 1 100
fi
finish
