#!/bin/bash
# Output, failure messages and names from a program contain no control characters and nothing that reverses text when simul shows them, in
# every command and every format.
. "$(dirname "$0")/lib.sh"
suite printable

bin=$work/$'d\x1b[2J\xe2\x80\xae'
mkdir -p "$bin" && gcc -O1 -pthread -o "$bin/prog" tests/printable/prog.c || exit 1

# harmless FILE...: the files are valid UTF-8 without control characters and without characters that change the direction of text
harmless() {
	python3 - "$@" <<-'PY'
		import re, sys
		harm = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
		for name in sys.argv[1:]:
		    data = open(name, "rb").read()
		    try:
		        text = data.decode()
		    except UnicodeDecodeError as e:
		        sys.exit("%s: no UTF-8 at %d: %r" % (name, e.start, data[max(0, e.start - 40):e.start + 10]))
		    m = harm.search(text)
		    if m:
		        sys.exit("%s: %r in %r" % (name, m.group(), text[max(0, m.start() - 40):m.end() + 20]))
		    if not text:
		        sys.exit(name + " is empty")
	PY
}

# says TEXT FILE
says() { grep -qF -- "$1" "$2" || { echo "not said: $1"; cat "$2"; return 1; }; }

record() { simul_run run --output "$dir" --json "$dir/r.json" -- "$bin/prog" "$@" >"$dir/run.out" 2>&1; expect_eq "exit status" 1 $?; }

running() {
	record && harmless "$dir/run.out" "$dir/r.json" && says '\x1b[2J \x9b31m \x9b \x7f \u202e \u2028 \u2066' "$dir/run.out" || return 1
	[[ $(json "$dir/r.json" bugs.0.message) == *'\u202e'* ]]
}

recorded() {
	record || return 1
	local r=$dir/prog-1.simul
	simul_run show --all "$r" >"$dir/show" 2>&1 && simul_run show --json "$r" >"$dir/show.json" && simul_run show --dot "$r" >"$dir/show.dot" &&
		simul_run show --html "$dir/show.html" "$r" && harmless "$dir/show" "$dir/show.json" "$dir/show.dot" "$dir/show.html" &&
		says '\x1b' "$dir/show" && says 'worker\x1b[31m\u202e' "$dir/show" && says '\\u202e' "$dir/show.html" || return 1
	simul_run replay --verbose "$r" >"$dir/replay" 2>&1
	expect_eq "exit status" 1 $? && harmless "$dir/replay" && says '\u202e' "$dir/replay" || return 1
	simul_run minimize --time 1s -o "$dir/m.simul" "$r" >"$dir/minimize" 2>&1 && harmless "$dir/minimize" || return 1
	simul_run replay --stop-at 4 "$r" </dev/null >"$dir/stopped" 2>&1
	harmless "$dir/stopped" && says 'worker\x1b' "$dir/stopped"
}

certificates() {
	gcc -g -O1 -pthread -o "$bin/orders" tests/enforce/opposite.c || return 1
	simul_run certify --executions 1 --output "$dir" -o "$dir/c.cert" -- "$bin/orders" $'\x1b]0;' >"$dir/certify" 2>&1
	simul_run show "$dir/c.cert" >"$dir/show" && harmless "$dir/certify" "$dir/show" && says 'd\x1b[2J\u202e' "$dir/show" && says '\x1b]0;' "$dir/show" || return 1
	simul_run enforce "$dir/c.cert" -- "$bin/orders" $'\x1b[31m' 2>"$dir/enforce"
	harmless "$dir/enforce" && says '\x1b[31m' "$dir/enforce"
}

# A forged file has them in places where simul writes none.
forged() {
	record || return 1
	sed -e '/^message /s/"/"\\x1b[2J\\xe2\\x80\\xae\\x9b/' -e '/^strategy/s/"/"\\x1b]0;\\x9b/' "$dir/prog-1.simul" | sed '$d' >"$dir/f.simul"
	python3 - "$dir/f.simul" <<-'PY'
		import sys
		data = open(sys.argv[1], "rb").read()
		h = 0xcbf29ce484222325
		for b in data:
		    h = ((h ^ b) * 0x100000001b3) % 2**64
		open(sys.argv[1], "ab").write(b"end %016x\n" % h)
	PY
	simul_run show "$dir/f.simul" >"$dir/show" && simul_run show --json "$dir/f.simul" >"$dir/show.json" && harmless "$dir/show" "$dir/show.json" || return 1
	simul_run replay --trust "$dir/f.simul" >"$dir/replay" 2>&1
	harmless "$dir/replay"
}

doctor() { simul_run doctor --all -- "$bin/prog" >"$dir/out" 2>&1; harmless "$dir/out"; }

stress() {
	simul_run stress --time 10s --output "$dir/o" --junit "$dir/j.xml" --json "$dir/r.json" -- "$bin/prog" >"$dir/out" 2>&1
	expect_eq "exit status" 1 $? && harmless "$dir/out" "$dir/j.xml" "$dir/r.json"
}

# A terminal gets the program's output in printable form; a pipe gets the original bytes.
shown_output() {
	simul_run run --show-output --executions 1 --quiet -- "$bin/prog" 2>/dev/null | grep -q $'\x1b\[2J' || return 1
	python3 - "$SIMUL" "$bin/prog" >"$dir/seen" <<-'PY'
		import os, pty, sys
		pid, fd = pty.fork()
		if pid == 0:
		    os.execv(sys.argv[1], [sys.argv[1], "run", "--show-output", "--executions", "1", "--quiet", "--", sys.argv[2]])
		seen = b""
		try:
		    while True:
		        more = os.read(fd, 4096)
		        if not more:
		            break
		        seen += more
		except OSError:
		    pass
		sys.stdout.buffer.write(seen.replace(b"\r\n", b"\n"))
	PY
	says 'harm \x1b[2J' "$dir/seen" && harmless "$dir/seen"
}

run_case "run" running
run_case "show, replay and minimize" recorded
run_case "a file from a stranger" forged
run_case "doctor" doctor
run_case "stress" stress
run_case certificates certificates
run_case "the output of the program" shown_output
finish
