#!/bin/bash
# Loops that read a number of times and then give up (docs/await.md, "Spins that give up"): repeated reads are left out. Random programs have the same outcomes as
# with each read an event (tests/repeats/repeats.py), and as many traces with more turns; broken variants of simul do not.
#
#   REPEATS_PROGRAMS=N tests/repeats.sh   N random programs (default 1000), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite repeats
CASE_SECONDS=900

gcc -g -O1 -Wall -Wextra -pthread -o "$work/use" tests/repeats/use.c || exit 1
park() { gcc -g -O1 -Wall -Wextra -Wno-unused-function -pthread -I. -DLOCK_KIND=FUTEX "${@:2}" -o "$work/$1" tests/locks/counted.c || exit 1; }
for turns in 3 10 100; do park park$turns -DSPINS=$turns; done
park forgets -DSPINS=10 -DNO_WAKE

# search OPTIONS... -- PROGRAM...: fills $dir/r.json and $dir/said
search() { simul_run run --quiet --time 60s --json "$dir/r.json" --output "$dir/out" "$@" >"$dir/said" 2>&1; }
said() { grep -qF -- "$1" "$dir/said" || { echo "nothing says '$1'"; cat "$dir/said"; return 1; }; }

# A lock that spins so many turns before it sleeps. The number of traces does not depend on the turns.
traces() { # TURNS ROUNDS TRACES
	search --strategy optimal -- "$work/park$1" 2 "$2"
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq traces "$3" "$(json "$dir/r.json" distinct_traces)" && said "repeated reads of 1 loop that gives up left out"
}
for turns in 3 10 100; do
	run_case "park, $turns turns, 1 round" traces $turns 1 12
	run_case "park, $turns turns, 2 rounds" traces $turns 2 1054
done

explored() {
	search --own-locks explore -- "$work/park10" 2 1
	expect_eq traces 32 "$(json "$dir/r.json" distinct_traces)" && ! grep -q "left out" "$dir/said"
}
run_case "--own-locks explore" explored

# finds OPTIONS...: the thread that sleeps is not woken: a deadlock, which replays
finds() {
	search "$@" -- "$work/forgets" 2 1
	expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}
for options in "" "--jobs 2" "--isolation fork" "--strategy optimal --shuffle 3" "--model tso" "--threads kernel"; do
	# shellcheck disable=SC2086
	run_case "a forgotten wake, $options" finds $options
done

# What depends on the number of turns is explored: the check fails, and all reads are events.
used() {
	search -- "$work/use" "$1"
	expect_eq kind assert "$(json "$dir/r.json" bugs.0.kind)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}
shared() {
	search -- "$work/use" shared
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && ! grep -q "repeated reads" "$dir/said"
}
run_case "memory that is mapped for several processes is not tried" shared
for how in sum turns late; do run_case "the program uses $how" used $how; done

# A recording keeps which reads were left out. A certificate does not have it.
certificate() {
	search --passing "$dir/passing.simul" -- "$work/park10" 2 1
	! simul_run certify -o "$dir/c" --from "$dir/passing.simul" -- "$work/park10" 2 1 >"$dir/said" 2>&1 || return 1
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
