#!/bin/bash
# Random native programs with signal handlers: simul finds what brute force finds (tests/signals/signals.py). Broken variants of the library do
# not.
#
#   SIGNAL_PROGRAMS=N tests/signals.sh   N programs under SC, and a quarter as many under TSO (default 1000), RANDOM_PERCENT of them
. "$(dirname "$0")/lib.sh"
suite signals
CASE_SECONDS=900

programs=$((${SIGNAL_PROGRAMS:-1000} * ${RANDOM_PERCENT:-100} / 100))

compare() { # SEED PROGRAMS OPTIONS...
	SIMUL=$SIMUL timeout $CASE_SECONDS python3 tests/signals/signals.py --seed "$1" --programs "$2" --dir "$dir" "${@:3}"
}

# broken: program N of SEED, with these options, must differ from brute force with a library in which TO replaces FROM in FILE.
broken() { # FILE FROM TO SEED N OPTIONS...
	broken_build "$1" "$2" "$3" || return 1
	if SIMUL=$dir/tree/build/simul compare "$4" $(($5 + 1)) --only "$5" "${@:6}" >"$dir/out" 2>&1; then
		echo "the comparison did not detect the broken library"
		return 1
	fi
	grep ', 1 differ$' "$dir/out" && rm -rf "$dir/tree"
}

seed=0
flags=(-O1 -O2 -O0)
batches() { # PROGRAMS OPTIONS...
	local left=$1 n
	for ((; left > 0; left -= 20)); do
		n=$((left < 20 ? left : 20)) f=${flags[seed % ${#flags[@]}]}
		run_case "seed $((++seed)), $f ${*:2}" compare $seed $n "--flags=$f" "${@:2}"
	done
}

batches $programs
batches $((programs / 4)) --model tso
seed=900
batches $((programs / 25 + 5)) --bugs
batches $((programs / 25 + 5)) --shuffle 5
batches $((programs / 25 + 5)) --shuffle 5 --model tso
batches $((programs / 25 + 5)) --strategy source
batches $((programs / 25 + 5)) --strategy trust
batches $((programs / 8 + 5)) --waits
batches $((programs / 25 + 10)) --waits --model tso
seed=906 # most of its programs are small enough for brute force
batches $((programs / 25 + 4)) --waits --strategy source
seed=299 # programs without the differences that limits.md names; a call that is no event would make others
batches $((programs / 25 + 5)) --counts
if [ "${SUITE_MODE-}" != full ]; then
	run_case "broken: what only a thread and its handlers use is not shared" \
		broken preload/memory/interrupt.c 'if (epoch >= i->since' 'if (false && epoch >= i->since' 3 2
	run_case "broken: a handler's accesses replace those of its thread" \
		broken preload/memory/shadow.c 'if (now.handlers && (kept(&w) || kept(&rd)))' 'if (false && kept(&w))' 1 0
	run_case "broken: no signal comes just before a thread blocks it" \
		broken preload/kernel/signal_delivery.c '	if (!ctl_past_checkpoint)' '	if (now)' 2 14
	run_case "broken: nothing comes just before a handler that blocks others" \
		broken preload/kernel/signal_delivery.c 'if (ctl_past_checkpoint && signals_has_handler(sig))' 'if (!sig)' 2 5
	run_case "broken: what a handler passes on is ordered with what its thread did before" \
		broken preload/memory/interrupt.c 'interrupt_any = true' 'interrupt_any = false' 124 3
	run_case "broken: a handler cannot come before an earlier handler" \
		broken preload/memory/interrupt.c '	me->since = i->before;' '' 37 9
	run_case "broken: no handler comes just before a call that waits" \
		broken sched/world.c 'would_wait(w, t) ? 1u << ALT_BEFORE : 0' '0 ? 1u << ALT_BEFORE : 0' 32 5 --waits
	run_case "broken: a handler interrupts a call that need not wait" \
		broken sched/world.c '	return !d.enabled || d.result == ETIMEDOUT;' '	return true;' 33 6 --waits
fi
finish
