# replay and show, and recordings that cannot be used.

record() {
	cp "$bin/deadlock" "$dir/prog"
	simul_run run -q --output "$dir" -- "$dir/prog" hello >"$dir/out" 2>&1
	rec=$dir/prog-1.simul
	[ -s "$rec" ] || { cat "$dir/out"; echo "nothing was recorded"; return 1; }
}
replays() {
	record && works 1 "$SIMUL" replay "$rec" && last_line "simul: replayed: deadlock" &&
		says "argument: hello"
}
replays_often() { record && works 1 "$SIMUL" replay --times 50 "$rec" && last_line "50 of 50 times"; }
replays_elsewhere() {
	record && cd / && works 1 env -i XDG_STATE_HOME="$XDG_STATE_HOME" PATH="$PATH" "$SIMUL" replay "$rec" && last_line "1 of 1"
}
shows() {
	record && works 0 "$SIMUL" show "$rec" && says "DEADLOCK" && says "deadlock.c:" && says "T0.1" || return 1
	works 0 "$SIMUL" show --json "$rec" && json "$dir/out" schedule.0.event >/dev/null
}
no_recording() { fails 2 "no recording given" "$SIMUL" replay && fails 2 "no recording given" "$SIMUL" show; }
missing() { fails 2 "nothing-1.simul" "$SIMUL" replay nothing-1.simul && fails 2 "nothing-1.simul" "$SIMUL" show nothing-1.simul; }
not_one() { fails 2 "" "$SIMUL" replay "$bin/fine" && fails 2 "" "$SIMUL" show /dev/null; }
truncated() {
	record && head -c $(($(stat -c %s "$rec") / 2)) "$rec" >"$dir/half.simul"
	fails 2 "half.simul" "$SIMUL" replay "$dir/half.simul" && fails 2 "half.simul" "$SIMUL" show "$dir/half.simul"
}
program_gone() { record && rm "$dir/prog" && fails 4 "cannot be replayed here" "$SIMUL" replay "$rec"; }
program_rebuilt() {
	record && cp "$bin/fine" "$dir/prog" && fails 4 "another build" "$SIMUL" replay "$rec"
}
diverges() {
	# the program looks at a file that is not part of the recording
	printf '#include <pthread.h>\n#include <unistd.h>\n#include <stdlib.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *w(void *a) { pthread_mutex_lock(&m); abort(); }
int main(int n, char **v) { pthread_t t; if (!access(v[1], F_OK)) pthread_mutex_lock(&m);
pthread_create(&t, 0, w, 0); if (!access(v[1], F_OK)) pthread_mutex_unlock(&m); pthread_join(t, 0); }\n' >"$dir/prog.c"
	gcc -g -pthread -o "$dir/prog" "$dir/prog.c" || return 1
	works 1 "$SIMUL" run -q --output "$dir" -- "$dir/prog" "$dir/flag" || return 1
	touch "$dir/flag"
	works 4 "$SIMUL" replay "$dir/prog-1.simul" && says "diverged" && last_line "not replayed"
}

for c in replays replays_often replays_elsewhere shows no_recording missing not_one truncated program_gone \
	program_rebuilt diverges; do
	run_case "recordings: $c" $c
done

# A replay gives the program the descriptors that it inherited, whatever simul itself inherits.
inherited() {
	local file=$dir/inherited-1.simul
	works 1 "$SIMUL" run --quiet --output "$dir" -- "$bin/inherited" 3</dev/null 4<&- 5</dev/null || return 1
	grep -qE '^inherited "3 5( [0-9]+)*"$' "$file" || { grep inherited "$file"; return 1; }
	works 0 "$SIMUL" show --json "$file" && cp "$dir/out" "$dir/shown" || return 1
	expect_eq "in JSON" "3 5" "$(json "$dir/shown" program.inherited.0) $(json "$dir/shown" program.inherited.1)" || return 1
	works 1 "$SIMUL" replay "$file" 3<&- 4<&- 5<&- && works 1 "$SIMUL" replay "$file" 3<&- 4</dev/null 5</dev/null || return 1
	works 0 "$SIMUL" minimize "$file" --time 2s 3<&- 4<&- 5<&-
}
run_case "replays: inherited descriptors" inherited
