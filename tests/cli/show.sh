# What `simul show` prints on a terminal and elsewhere, as JSON and as a graph. (The page: tests/html.sh.)

deadlock_recorded() {
	cp "$bin/deadlock" "$dir/prog"
	simul_run run -q --output "$dir" -- "$dir/prog" hello >"$dir/out" 2>&1
	rec=$dir/prog-1.simul
	[ -s "$rec" ] || { cat "$dir/out"; echo "nothing was recorded"; return 1; }
}

# on_terminal COLUMNS COMMAND...: runs COMMAND on a terminal of that width; its output is in $dir/out
on_terminal() {
	show_cmd "$@"
	timeout -k 5 60 python3 - "$@" >"$dir/out" <<'PY'
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 30, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
text = b""
while True:
    try:
        got = os.read(fd, 65536)
    except OSError:
        break
    if not got:
        break
    text += got
sys.stdout.buffer.write(text.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
PY
}

coloured() { grep -q $'\033\[' "$dir/out"; }
plain() { ! coloured || { echo "there are colours"; return 1; }; }
colours() {
	deadlock_recorded || return 1
	on_terminal 100 env -u NO_COLOR TERM=xterm "$SIMUL" show "$rec" && coloured || { echo "no colours on a terminal"; return 1; }
	on_terminal 100 env NO_COLOR=1 TERM=xterm "$SIMUL" show "$rec" && plain || return 1
	on_terminal 100 env -u NO_COLOR TERM=dumb "$SIMUL" show "$rec" && plain || return 1
	on_terminal 100 env -u NO_COLOR -u TERM "$SIMUL" show "$rec" && plain || return 1
	on_terminal 100 env -u NO_COLOR TERM=xterm "$SIMUL" show --color=never "$rec" && plain || return 1
	works 0 env -u NO_COLOR TERM=xterm "$SIMUL" show "$rec" && plain || return 1
	works 0 env NO_COLOR=1 TERM=dumb "$SIMUL" show --color always "$rec" && coloured || { echo "not always"; return 1; }
	fails 2 "color" "$SIMUL" show --color=sometimes "$rec"
}

# widest N [PART]: no line of the schedule (or of the part that `sed -n PART` selects) has more than N columns
widest() {
	local n
	n=$(sed -n "${2:-/^Schedule/,/switch to another thread/p}" "$dir/out" | sed '/switch to another thread/d' | LC_ALL=C.UTF-8 wc -L)
	[ "$n" -le "$1" ] || { echo "a line has $n columns, not $1"; return 1; }
}
widths() {
	deadlock_recorded || return 1
	for n in 50 72 100 140; do
		on_terminal $n env -u COLUMNS TERM=xterm NO_COLOR=1 "$SIMUL" show "$rec" && widest $n || return 1
		works 0 env COLUMNS=$n "$SIMUL" show "$rec" && widest $n || return 1
		works 0 "$SIMUL" show --width $n "$rec" && widest $n || return 1
	done
	works 0 env COLUMNS=3 "$SIMUL" show "$rec" && works 0 env COLUMNS=9999999999 "$SIMUL" show "$rec" && works 0 env COLUMNS=x "$SIMUL" show "$rec"
}

# Forty thread names and long function names also fit into the window.
many_names() {
	cat >"$dir/prog.c" <<-'EOF'
		#include <pthread.h>
		#include <stdlib.h>
		static void *a_thread_with_a_rather_long_name_of_its_own(void *arg) { return arg; }
		static void stops_the_program_and_has_a_long_name_as_well(void) { abort(); }
		int main(void) {
			pthread_t t[40];
			for (int i = 0; i < 40; i++) pthread_create(&t[i], NULL, a_thread_with_a_rather_long_name_of_its_own, NULL);
			for (int i = 0; i < 40; i++) pthread_join(t[i], NULL);
			stops_the_program_and_has_a_long_name_as_well();
		}
	EOF
	gcc -g -pthread -o "$dir/prog" "$dir/prog.c" && works 1 "$SIMUL" run -q --no-minimize --output "$dir" -- "$dir/prog" || return 1
	for n in 48 80; do
		works 0 "$SIMUL" show --width $n "$dir/prog-1.simul" && says "ended: T0.1 T0.2" && widest $n '/^Threads at the end/,$p' && widest $n '/^Stack/,/^Threads/p' || return 1
	done
}

names_preemptions() {
	gcc -g -pthread -o "$dir/prog" demos/lost_wakeup/prog.c && works 1 "$SIMUL" run -q --output "$dir" -- "$dir/prog" &&
		works 0 "$SIMUL" show --width 200 "$dir/prog-1.simul" || return 1
	says "2 switches to another thread, 1 of them a preemption:" &&
		says "  »! step 4: T0 stops after unlock c->lock (prog.c:20); T0.1 runs start; T0 continues in step 9" || return 1
	works 0 "$SIMUL" show --color=always --width 200 "$dir/prog-1.simul" && sed -i 's/\x1b\[[0-9;]*m//g' "$dir/out" || return 1
	grep -qE '^  [0-9]+ switch(es)? to another thread, [0-9]+ of them (a preemption|preemptions):$' "$dir/out" &&
		grep -qE '^  »!? step [0-9]+: T0 stops after unlock .*; T0\.1 runs ' "$dir/out"
}

json_has_order() {
	deadlock_recorded && works 0 "$SIMUL" show --json "$rec" || return 1
	python3 - "$dir/out" <<'PY'
import json, sys
d = json.load(open(sys.argv[1]))
for key in ("schema", "simul", "program", "options", "failure", "threads", "objects", "schedule", "output"):
    assert key in d, key
steps = d["schedule"]
for key in ("step", "thread", "event", "alternative", "objects", "result", "failed", "waited", "switch", "preemption", "after", "text",
            "function", "where", "stack"):
    assert all(key in s for s in steps), key
by = {s["step"]: s for s in steps}
assert sum(s["preemption"] for s in steps) == d["failure"]["preemptions"]
assert all(s["switch"] for s in steps if s["preemption"])
why = {(a["why"], by[a["step"]]["event"], s["event"]) for s in steps for a in s["after"]}
assert ("create", "create", "start") in why or ("create", "create", "lock") in why, why
assert all(a["step"] < s["step"] and by[a["step"]]["thread"] != s["thread"] for s in steps for a in s["after"])
PY
}

graph() {
	deadlock_recorded && works 0 "$SIMUL" show --dot "$rec" && says "digraph schedule {" && says '[label="create"' || return 1
	fails 2 "one of --html, --json and --dot" "$SIMUL" show --dot --json "$rec"
}

show_options_documented() {
	works 0 "$SIMUL" help show || return 1
	for o in all color dot html json width; do
		says "--$o" && grep -q -- "--$o" docs/show.md || { echo "--$o is not documented"; return 1; }
	done
}

for c in colours widths many_names names_preemptions json_has_order graph show_options_documented; do
	run_case "show: $c" $c
done
