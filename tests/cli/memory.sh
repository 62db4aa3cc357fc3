# Accesses to memory: sensors, messages, the scope of the verdict, recordings that depend on addresses.

lost_update() {
	works 1 "$SIMUL" run --output "$dir" --json "$dir/r.json" -- "$bin/counter" || return 1
	last_line "bug found: assert at counter.c:" && says "load main::total" && says "store main::total" &&
		says "to find shared memory" || return 1
	says "store s->box->n" && says "  main::total: " && says "  s->box->n: "
}
no_patch() {
	works 0 "$SIMUL" run --no-patch --json "$dir/r.json" -- "$bin/counter" || return 1
	last_line "complete for library-level operations (--no-patch: memory accesses are not seen): " || return 1
	expect_eq verdict complete "$(json "$dir/r.json" verdict)" &&
		expect_eq reason "--no-patch: memory accesses are not seen" "$(json "$dir/r.json" reason)"
}
uncovered() {
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$bin/uncovered" || return 1
	last_line "complete, except for 1 function whose memory accesses are not seen (transaction: " &&
		says "functions not covered: 1" && expect_eq count 1 "$(json "$dir/r.json" uncovered_functions)" || return 1
	json "$dir/r.json" reason | grep -q "transaction" || { echo "the result gives no reason"; return 1; }
}
patch_and_no_patch() {
	fails 2 "contradict" "$SIMUL" run --no-patch --patch 'lib*' -- "$bin/counter"
}
# A library outside the program's RUNPATH is patched only if an option names it.
patch_library() {
	local lib=$dir/elsewhere
	mkdir -p "$lib" || return 1
	printf 'int tally;\nvoid count(void) { tally++; }\n' >"$dir/tally.c"
	printf '#include <assert.h>\n#include <pthread.h>\nextern int tally; void count(void);
static void *w(void *a) { count(); return a; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
for (int i = 0; i < 2; i++) pthread_join(t[i], 0); assert(tally == 2); return 0; }\n' >"$dir/prog.c"
	gcc -g -shared -fPIC -o "$lib/libtally.so" "$dir/tally.c" &&
		gcc -g -pthread -o "$dir/prog" "$dir/prog.c" -L"$lib" -ltally || return 1
	export LD_LIBRARY_PATH=$lib
	works 1 "$SIMUL" run --output "$dir/lazy" -- "$dir/prog" && last_line "assert at prog.c:" && works 1 "$SIMUL" replay "$dir/lazy/prog-1.simul" || return 1
	works 1 "$SIMUL" run --patch nothing --patch 'libtall?.so' --output "$dir" -- "$dir/prog" || return 1
	last_line "assert at prog.c:" && says "store tally" && grep -q '^patch-also "libtall?.so"' "$dir/prog-1.simul" || return 1
	works 1 "$SIMUL" replay "$dir/prog-1.simul" && last_line "1 of 1 time"
}
# A library with its own lock is discovered when it is reached, and the counts are the same as if it had been patched at once.
library_with_locks() {
	printf '#include <linux/futex.h>\n#include <sys/syscall.h>\n#include <unistd.h>
static int taken;
void take(void) { while (__atomic_exchange_n(&taken, 1, 2)) syscall(SYS_futex, &taken, FUTEX_WAIT, 1, 0, 0, 0); }
void give(void) { __atomic_store_n(&taken, 0, 3); syscall(SYS_futex, &taken, FUTEX_WAKE, 1, 0, 0, 0); }\n' >"$dir/lock.c"
	printf '#include <pthread.h>\nvoid take(void), give(void);\nstatic int n;
static void *w(void *a) { take(); n++; give(); return a; }
int main(void) { pthread_t t[2]; for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
for (int i = 0; i < 2; i++) pthread_join(t[i], 0); return n != 2; }\n' >"$dir/prog.c"
	mkdir -p "$dir/elsewhere" && gcc -g -shared -fPIC -o "$dir/elsewhere/liblock.so.1" "$dir/lock.c" &&
		gcc -g -pthread -o "$dir/prog" "$dir/prog.c" "$dir/elsewhere/liblock.so.1" || return 1
	export LD_LIBRARY_PATH=$dir/elsewhere
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$dir/prog" || return 1
	last_line "simul: complete: every one of" || return 1
	works 0 "$SIMUL" run --patch 'liblock*' --json "$dir/whole.json" -- "$dir/prog" && last_line "simul: complete: every one of" &&
		expect_eq "traces" "$(json "$dir/whole.json" distinct_traces)" "$(json "$dir/r.json" distinct_traces)"
}
races_noted() {
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$bin/harmless_race" || return 1
	last_line "simul: complete: every one of" && says "data race (not treated as a bug; --fail-on-race does)" &&
		says "  latest: written at harmless_race.c:9 by T0." || return 1
	expect_eq object latest "$(json "$dir/r.json" races.0.object)" &&
		expect_eq first harmless_race.c:9 "$(json "$dir/r.json" races.0.first)" &&
		expect_eq second harmless_race.c:9 "$(json "$dir/r.json" races.0.second)" || return 1
	if json "$dir/r.json" races.1.object >/dev/null 2>&1; then echo "a race was reported twice"; return 1; fi
	expect_eq uncovered 0 "$(json "$dir/r.json" uncovered_functions)"
}
fail_on_race() {
	works 1 "$SIMUL" run --fail-on-race --output "$dir" --json "$dir/r.json" -- "$bin/harmless_race" || return 1
	expect_eq kind race "$(json "$dir/r.json" bugs.0.kind)" && last_line "bug found: race at harmless_race.c:9" &&
		says "data race on latest: written at harmless_race.c:9 by T0." || return 1
	if grep -q "not treated as" "$dir/out"; then echo "it was treated as a bug"; return 1; fi
	works 1 "$SIMUL" replay "$dir/harmless_race-1.simul" && last_line "1 of 1 time" &&
		works 0 "$SIMUL" show "$dir/harmless_race-1.simul" && says "DATA RACE" && says "store latest"
}
# With -fsanitize=thread simul knows which accesses are plain: the race is certain.
certain_race() {
	gcc -g -fsanitize=thread -pthread -o "$dir/prog" tests/cli/prog/harmless_race.c || return 1
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$dir/prog" && says "note: 1 data race (not" &&
		expect_eq certain true "$(json "$dir/r.json" races.0.certain)" || return 1
	works 0 "$SIMUL" run --json "$dir/r.json" -- "$bin/harmless_race" && says "note: 1 possible data race (not" &&
		expect_eq certain false "$(json "$dir/r.json" races.0.certain)"
}
livelock() {
	works 1 "$SIMUL" run --output "$dir" --json "$dir/r.json" -- "$bin/livelock" || return 1
	expect_eq kind livelock "$(json "$dir/r.json" bugs.0.kind)" &&
		expect_eq confirmed true "$(json "$dir/r.json" bugs.0.confirmed)" && last_line "bug found: livelock at" &&
		says "T0.1 and T0.2 spin on a condition that no thread can change" && says "spins: ping" && says "spins: pong" || return 1
	works 1 "$SIMUL" replay --times 5 "$dir/livelock-1.simul" && last_line "5 of 5 times"
}
# The first stack lies below the environment, so the recording contains the size of the environment.
replay_with_another_environment() {
	local big
	big=$(printf '%4000s' '' | tr ' ' x)
	works 1 "$SIMUL" run --output "$dir" -- "$bin/counter" || return 1
	grep -q 'memory [0-9]* "main::total"' "$dir/counter-1.simul" || { echo "nothing on the stack was recorded"; return 1; }
	works 1 env -i XDG_STATE_HOME="$XDG_STATE_HOME" "$SIMUL" replay "$dir/counter-1.simul" && last_line "1 of 1 time" || return 1
	works 1 env "TERM=$big" "PS1=$big" "$SIMUL" replay "$dir/counter-1.simul" && last_line "1 of 1 time" || return 1
	works 1 bash -c 'ulimit -S -s 4096; exec "$0" replay "$1"' "$SIMUL" "$dir/counter-1.simul" && last_line "1 of 1 time"
}
# A recording from a large environment replays in an empty one, with a simul whose path is longer.
replay_by_another_path() {
	local long=$dir/a_folder_with_a_name_that_is_longer_than_the_one_that_was_used_for_recording
	works 1 env -i XDG_STATE_HOME="$XDG_STATE_HOME" "$SIMUL" run --output "$dir" -- "$bin/counter" || return 1
	mkdir -p "$long" && cp "$(dirname "$SIMUL")"/simul "$(dirname "$SIMUL")"/lib*.so* "$long" || return 1
	works 1 "$long/simul" replay "$dir/counter-1.simul" && last_line "1 of 1 time"
}
recorded_options() {
	works 1 "$SIMUL" run --output "$dir" -- "$bin/counter" || return 1
	grep -q '^patch 1$' "$dir/counter-1.simul" && grep -q '^\[memory\]$' "$dir/counter-1.simul" &&
		grep -q '^page 0x' "$dir/counter-1.simul" || return 1
	works 1 "$SIMUL" run --no-patch --output "$dir" -- "$bin/deadlock" && grep -q '^patch 0$' "$dir/deadlock-1.simul"
}
shows_memory() {
	works 1 "$SIMUL" run -q --output "$dir" -- "$bin/counter" || return 1
	works 0 "$SIMUL" show "$dir/counter-1.simul" && says "load main::total" || return 1
	works 0 "$SIMUL" show --json "$dir/counter-1.simul" && grep -q '"event": "store"' "$dir/out"
}

for c in lost_update no_patch uncovered patch_and_no_patch patch_library library_with_locks races_noted fail_on_race certain_race livelock \
	replay_with_another_environment replay_by_another_path recorded_options shows_memory; do
	run_case "memory: $c" $c
done
