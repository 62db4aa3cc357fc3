#!/bin/bash
# Calls that are taken as one step (preload/control/whole_calls.h), such as those of Rust's channels. Random programs have the same outcomes as with a mutex
# (tests/calls/calls.py); with broken variants of simul they do not.
#
#   CALLS_PROGRAMS=N tests/calls.sh   N random programs (default 600), RANDOM_PERCENT of them; SEED=N for others
. "$(dirname "$0")/lib.sh"
suite calls
CASE_SECONDS=900

gcc -g -O2 -pthread -w -I. -DCHANNEL_KIND=2 -o "$work/program" tests/calls/program.c || exit 1

# search OPTIONS... -- OPERATIONS...: fills $dir/r.json and $dir/said
search() {
	local options=()
	while [ "$1" != -- ]; do options+=("$1"); shift; done
	simul_run run --quiet --time 60s --json "$dir/r.json" --output "$dir/out" "${options[@]}" -- "$work/program" 1 x "${@:2}" >"$dir/said" 2>&1
}
said() { grep -qE -- "$1" "$dir/said" || { echo "nothing says '$1'"; cat "$dir/said"; return 1; }; }

# The order of two sends, which the receiver sees, and of what it then does.
traces() { # TRACES OPTIONS...
	search --strategy optimal "${@:2}" -- s s rr
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && expect_eq traces "$1" "$(json "$dir/r.json" distinct_traces)" && said "channels and park of Rust's std taken as one step"
}
fewer=$(
	dir=$work
	search --strategy exhaustive -- s s rr
	json "$dir/r.json" distinct_traces
)
for options in "" "--shuffle 5" "--jobs 2" "--isolation fork" "--threads kernel" "--no-snapshots"; do
	# shellcheck disable=SC2086
	run_case "the same traces, $options" traces "$fewer" $options
done

# With store buffers and in certificates nothing is one step.
as_code() { search "$@" -- s r && expect_eq verdict complete "$(json "$dir/r.json" verdict)" && ! grep -q "one step" "$dir/said"; }
for options in "--own-locks explore" "--model tso" "--model pso"; do
	# shellcheck disable=SC2086
	run_case "$options" as_code $options
done

# Channels of other crates are explored as code, even in a module with such a name.
other_crate() {
	gcc -g -O2 -pthread -w -I. -DCHANNEL_KIND=2 -DOTHER_PARK "-DMODULE=\"5tokio4sync4mpsc\"" -o "$dir/other" tests/calls/program.c || return 1
	simul_run run --quiet --time 60s --json "$dir/r.json" --output "$dir/out" -- "$dir/other" 1 x s r >"$dir/said" 2>&1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && ! grep -q "one step" "$dir/said"
}
run_case "another crate" other_crate

# A deadlock is found and replays, and says that the thread is parked.
deadlock() {
	search -- r x
	expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" &&
		simul_run show "$dir/out/program-1.simul" >"$dir/said" && said "T0 is parked at channel.h:[0-9]+"
}
run_case "a deadlock" deadlock

# A call that waits for another one is no single step. The search begins again without such calls, and a recording made then replays.
refused() {
	search --strategy optimal -- w v
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" && ! grep -q "one step" "$dir/said" || { cat "$dir/said"; return 1; }
	search --strategy optimal -- wr v
	expect_eq kind deadlock "$(json "$dir/r.json" bugs.0.kind)" && expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)"
}
run_case "a call that is no single step" refused

# A worker that starts later knows it, too, and runs the same code. Once in three times it was called not deterministic.
refused_by_all() {
	local i

	search --strategy optimal --jobs 2 -- wspx vpxs spx
	for i in 1 2 3 4 5; do
		expect_eq verdict complete "$(json "$dir/r.json" verdict)" && ! grep -q "one step" "$dir/said" || { cat "$dir/said"; return 1; }
		search --strategy optimal --jobs 2 -- wspx vspx sx
	done
}
run_case "a call that is no single step, two workers" refused_by_all

programs=$((${CALLS_PROGRAMS:-600} * ${RANDOM_PERCENT:-100} / 100))
random_programs tests/calls/calls.py $programs 10 "--strategy optimal" "--strategy source --shuffle 3" "--strategy auto" "--strategy trust" "--strategy optimal --jobs 2"
random_programs tests/calls/rwlocks.py $((programs / 3)) 10 "--strategy optimal" "--strategy source --shuffle 3" "--strategy optimal --jobs 2"
if [ -e /usr/include/tbb/concurrent_hash_map.h ]; then
	random_programs tests/calls/maps.py $((programs / 3)) 10 "--strategy optimal" "--strategy source --shuffle 3" "--strategy optimal --jobs 2"
else
	echo "oneTBB's concurrent_hash_map: not tested, since there is no libtbb-dev"
fi
if [ "${SUITE_MODE-}" != full ]; then
	# A thread that keeps the mutex while it waits, or goes on without it, changes no outcome: the search begins again and explores the calls as code.
	run_case "broken: a thread waits for a reader" broken_random tests/calls/rwlocks.py preload/memory/lock_sites.c 'return state_unless(a, op, only_at[waits], waits);' 'return state_unless(a, op, 1, waits);' 1 40
	run_case "broken: an operation of a lock belongs to the one before" broken_random tests/calls/rwlocks.py preload/control/lock_ops.c 'bool continues = called || part == LOCK_OP_SWAPS;' 'bool continues = true;' 1 40
	run_case "broken: a function belongs to the operation before" broken_random tests/calls/rwlocks.py preload/control/whole_calls.c 'me->lock_op = 0; /*' 'me->lock_op += 0; /*' 1 40
	run_case "broken: an operation goes on after waiting" broken_random tests/calls/rwlocks.py preload/control/ctl.c 'fiber_cur->lock_op = 0;' '' 1 40
	run_case "broken: a call that ends keeps the mutex" broken_random tests/calls/calls.py preload/control/whole_calls.c '	give_back(pc);
	fiber_cur->call.sp = 0;' '	fiber_cur->call.sp = 0;' 1 60
	run_case "broken: a parked thread goes on" broken_random tests/calls/calls.py preload/memory/lock_sites.c 'notified = 1;' 'notified = 0;' 1 60
fi
finish
