#!/bin/bash
# Files from other people: recordings that would run something else, prepared state directories, secrets in recordings.
#
#   tests/strangers.sh [NAME]   only the cases whose name contains NAME
. "$(dirname "$0")/lib.sh"
suite strangers
only=${1-}
new_case() { [[ $1 != *"$only"* ]] || run_case "$@"; }

prog=$work/lock_order
gcc -g -O1 -pthread -o "$prog" demos/lock_order/prog.c || exit 1

gcc -g -O1 -pthread -o "$work/reads" tests/strangers/reads.c && gcc -DENVP -g -O1 -pthread -o "$work/envp" tests/strangers/reads.c &&
	gcc -g -O1 -pthread -w -o "$work/arguments" tests/strangers/arguments.c && gcc -DENVIRON -g -O1 -pthread -o "$work/environ" tests/strangers/reads.c || exit 1

# record_reads PROGRAM [VARIABLE=VALUE...]: records $dir/r.simul from a program that reads some variables
record_reads() {
	local p=$1
	shift
	env IN_THREAD=1 "$@" "$SIMUL" run --quiet --output "$dir" -- "$work/$p" >"$dir/out" 2>&1
	expect_eq "exit status" 1 $? && mv "$dir/$p-1.simul" "$dir/r.simul"
}

# record [VARIABLE=VALUE...]: makes $dir/r.simul, a recording by this user
record() {
	env "$@" "$SIMUL" run --quiet --output "$dir" -- "$prog" >"$dir/out" 2>&1
	expect_eq "exit status" 1 $? && mv "$dir"/lock_order-1.simul "$dir/r.simul"
}

# forge SED...: makes $dir/forged.simul, the recording changed by sed, with a correct checksum
forge() {
	sed "$@" "$dir/r.simul" | sed '$d' >"$dir/forged.simul"
	python3 - "$dir/forged.simul" <<-'PY'
		import sys
		data = open(sys.argv[1], "rb").read()
		h = 0xcbf29ce484222325
		for b in data:
		    h = ((h ^ b) * 0x100000001b3) % 2**64
		open(sys.argv[1], "ab").write(b"end %016x\n" % h)
	PY
}

# gives STATUS TEXT COMMAND...: COMMAND exits with STATUS and prints TEXT
gives() {
	local want=$1 text=$2 status
	shift 2
	show_cmd "$@"
	"$@" >"$dir/gives.out" 2>&1 </dev/null
	status=$?
	cat "$dir/gives.out"
	expect_eq "exit status" "$want" $status && { [[ $(<"$dir/gives.out") == *"$text"* ]] || { echo "not said: $text"; return 1; }; }
}

own_recording() {
	record A=1 && gives 1 "the recorded failure" "$SIMUL" replay "$dir/r.simul" &&
		gives 0 "" "$SIMUL" minimize --time 1s -o "$dir/m.simul" "$dir/r.simul" &&
		gives 1 "the recorded failure" "$SIMUL" replay "$dir/m.simul"
}

other_user() {
	record A=1 || return 1
	export XDG_STATE_HOME=$dir/other
	gives 4 "It would run:" "$SIMUL" replay "$dir/r.simul" && gives 4 "  program:     $prog" "$SIMUL" minimize "$dir/r.simul" &&
		gives 0 "deadlock" "$SIMUL" show "$dir/r.simul" && gives 1 "the recorded failure" "$SIMUL" replay --trust "$dir/r.simul"
}

# A forged argument must not reach the terminal unescaped.
shown_safely() {
	record A=1 && forge -e '/^arg /a arg "\\x1b[2Jgone"' && gives 4 '\x1b[2Jgone' "$SIMUL" replay "$dir/forged.simul"
}

changed() {
	record A=1 || return 1
	forge -e "/^arg /a arg \"$1\""
	gives 4 "changed since" "$SIMUL" replay "$dir/forged.simul" && gives 4 "changed since" "$SIMUL" minimize "$dir/forged.simul"
}

# simul does not run another program that the file names: never without --trust, and with it only the recorded build.
other_program() {
	record A=1 || return 1
	forge -e "s|^path .*|path \"/bin/sh\"|" -e "/^arg /a arg \"-c\"\narg \"touch $dir/touched\""
	gives 4 "not run" "$SIMUL" replay "$dir/forged.simul" && gives 4 "another build of /bin/sh" "$SIMUL" replay --trust "$dir/forged.simul" || return 1
	forge -e "s|^path .*|path \"/bin/sh\"|" -e '/^build-id/s/".*"/""/' -e "/^arg /a arg \"-c\"\narg \"touch $dir/touched\""
	gives 4 "does not name the build" "$SIMUL" replay --trust "$dir/forged.simul" &&
		gives 4 "does not name the build" "$SIMUL" minimize --trust "$dir/forged.simul" || return 1
	[ ! -e "$dir/touched" ]
}

# simul does not load a library that the file names, even with --trust; it loads the user's own.
loader() {
	printf '#include <stdio.h>\n__attribute__((constructor)) static void f(void) { fclose(fopen("%s", "w")); }\n' "$dir/loaded" >"$dir/evil.c"
	gcc -shared -fPIC -o "$dir/evil.so" "$dir/evil.c" && record A=1 || return 1
	forge -e "/^cwd/i env \"LD_PRELOAD=$dir/evil.so\"\nenv \"LD_LIBRARY_PATH=$dir\""
	gives 1 "its LD_PRELOAD is ignored" "$SIMUL" replay --trust "$dir/forged.simul" || return 1
	[ ! -e "$dir/loaded" ] || { echo "the library was loaded"; return 1; }
	LD_PRELOAD=$dir/evil.so gives 1 "recorded failure" "$SIMUL" replay --trust "$dir/forged.simul" || return 1
	[ -e "$dir/loaded" ] || { echo "the user's own library was not loaded"; return 1; }
}

# On a terminal simul asks the user; only "yes" runs the program.
asked() {
	record A=1 || return 1
	export XDG_STATE_HOME=$dir/other
	python3 - "$SIMUL" "$dir/r.simul" <<-'PY'
		import os, pty, sys
		for answer, want in (b"n\n", 4), (b"\n", 4), (b"y\n", 1):
		    pid, fd = pty.fork()
		    if pid == 0:
		        os.execv(sys.argv[1], [sys.argv[1], "replay", "--quiet", sys.argv[2]])
		    seen = b""
		    while b"[y/N]" not in seen:
		        seen += os.read(fd, 4096)
		    os.write(fd, answer)
		    try:
		        while os.read(fd, 4096):
		            pass
		    except OSError:
		        pass
		    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
		    if status != want:
		        sys.exit("answer %r: exit status %d, wanted %d" % (answer, status, want))
	PY
}

secrets() {
	record_reads reads OPENAI_KEY=hush1 MYSQL_PWD=hush2 DATABASE_URL=postgres://me:hush3@db/x COOKIE=hush4 https_proxy=http://me:hush5@proxy:3128 \
		CI_JOB=glpat-hush6 PLAIN=kept || return 1
	no_secrets && MYSQL_PWD=other OPENAI_KEY=hush1 gives 1 "MYSQL_PWD" "$SIMUL" replay "$dir/r.simul" && ! grep OPENAI_KEY "$dir/gives.out"
}

# No recording, no saved state and no result contains "hush".
no_secrets() {
	! grep hush "$dir/r.simul" || return 1
	"$SIMUL" show --json "$dir/r.simul" >"$dir/show.json" || return 1
	! grep hush "$dir/show.json" || return 1
	expect_eq mode 600 "$(stat -c %a "$dir/r.simul")" && grep -q '^env-hidden "[A-Z_0-9]*=' "$dir/r.simul"
}

# Passwords inside the values of variables with ordinary names, in recordings and saved states.
secret_values() {
	local value
	for value in '{"password":"hush1"}' password=hush2 'Server=h;Pwd=hush3' 'Bearer hush4hush4' 'https://x/?api_key=hush5' user:hush6@host; do
		rm -rf "$dir/state"
		record_reads reads "PLAIN=$value" || return 1
		no_secrets || { echo "kept: $value"; return 1; }
		PLAIN=$value gives 1 "the recorded failure" "$SIMUL" replay "$dir/r.simul" && ! grep "PLAIN" "$dir/gives.out" &&
			gives 1 "not in the recording: PLAIN" "$SIMUL" replay "$dir/r.simul" || return 1
		PLAIN=$value "$SIMUL" run --quiet --executions 1 --resume "$dir/state" -- "$work/reads" >/dev/null 2>&1
		[ -s "$dir/state/simul-state" ] && ! grep -r hush "$dir/state" || return 1
	done
}

# Arguments are masked; a replay gets them from variables, and says so if they are missing.
secret_arguments() {
	"$SIMUL" run --quiet --output "$dir" --json "$dir/run.json" -- "$work/arguments" first --password=hush7 >"$dir/out" 2>&1
	expect_eq "exit status" 1 $? && mv "$dir/arguments-1.simul" "$dir/r.simul" && no_secrets && ! grep hush "$dir/run.json" "$dir/out" || return 1
	gives 4 "asterisks instead; set these variables to the whole arguments: SIMUL_ARG_2" "$SIMUL" replay "$dir/r.simul" || return 1
	SIMUL_ARG_2=--password=hush8 gives 4 SIMUL_ARG_2 "$SIMUL" replay "$dir/r.simul" &&
		SIMUL_ARG_2=--password=hush7 gives 1 "the recorded failure" "$SIMUL" replay "$dir/r.simul" && ! grep SIMUL_ARG "$dir/gives.out" &&
		SIMUL_ARG_2=--password=hush7 gives 0 "" "$SIMUL" minimize --time 1s -o "$dir/m.simul" "$dir/r.simul" &&
		mv "$dir/m.simul" "$dir/r.simul" && no_secrets &&
		SIMUL_ARG_2=--password=hush7 gives 1 "the recorded failure" "$SIMUL" replay "$dir/r.simul" || return 1
	"$SIMUL" run --quiet --executions 1 --resume "$dir/state" -- "$work/arguments" --password hush7 >/dev/null 2>&1
	[ -s "$dir/state/simul-state" ] && ! grep -r hush "$dir/state" || return 1
	"$SIMUL" run --quiet --output "$dir" --resume "$dir/state" -- "$work/arguments" --password hush7 >"$dir/out" 2>&1
	expect_eq "exit status" 1 $? && ! grep -r hush "$dir"/*.simul "$dir/state"
}

# A recording keeps only the variables that the program was seen to read; it replays in any other environment.
unread() {
	record_reads reads PLAIN=kept UNREAD=private TZ=UTC || return 1
	grep -q '^env "PLAIN=kept"' "$dir/r.simul" && grep -q '^env "IN_THREAD=1"' "$dir/r.simul" && grep -q '^env "TZ=UTC"' "$dir/r.simul" || return 1
	! grep -e UNREAD -e HOME= "$dir/r.simul" || return 1
	gives 1 "the recorded failure" env -i XDG_STATE_HOME="$XDG_STATE_HOME" "$SIMUL" replay "$dir/r.simul" &&
		gives 1 "the recorded failure" env SIX=6666666666666666666666666 "$SIMUL" replay "$dir/r.simul" &&
		gives 0 "" "$SIMUL" minimize --time 2s -o "$dir/m.simul" "$dir/r.simul" &&
		expect_eq "variables" "$(grep '^env ' "$dir/r.simul")" "$(grep '^env ' "$dir/m.simul")" &&
		gives 1 "the recorded failure" env -i XDG_STATE_HOME="$XDG_STATE_HOME" "$SIMUL" replay "$dir/m.simul"
}

# It keeps all variables if reads cannot be seen: the failure depends on one; the program reads environ; it starts another program.
unseen() {
	record_reads envp IN_MAIN=1 OTHER=1 && grep -q '^env "IN_MAIN=1"' "$dir/r.simul" &&
		gives 1 "the recorded failure" env -i XDG_STATE_HOME="$XDG_STATE_HOME" "$SIMUL" replay "$dir/r.simul" &&
		record_reads environ OTHER=1 && grep -q '^env "OTHER=1"' "$dir/r.simul" || return 1
	printf '#!/bin/sh\nexec "%s"\n' "$work/reads" >"$work/script" && chmod +x "$work/script" &&
		record_reads script OTHER=1 && grep -q '^env "OTHER=1"' "$dir/r.simul"
}

environment() {
	record A=recorded || return 1
	A=now gives 1 "the recorded failure" "$SIMUL" replay --env current "$dir/r.simul" &&
		gives 2 "cannot be combined with --gdb" "$SIMUL" replay --gdb --env current "$dir/r.simul"
}

stack_limit() {
	record A=1 || return 1
	( ulimit -S -s 1024; ulimit -H -s 1024; gives 4 "ulimit -Hs" "$SIMUL" replay "$dir/r.simul" )
}

# Files that an attacker placed where the state will be written stay unchanged.
links() {
	local state=$dir/state
	mkdir -m 700 "$state" && echo precious >"$dir/precious" || return 1
	"$SIMUL" run --quiet --executions 2 --resume "$state" --output "$dir" -- "$prog" >"$dir/first" 2>&1
	for f in "$state"/*; do ln -sf "$dir/precious" "$f.new"; done
	"$SIMUL" run --quiet --resume "$state" --output "$dir" -- "$prog" >"$dir/second" 2>&1
	expect_eq "contents behind the link" precious "$(<"$dir/precious")" || return 1
	for f in "$state"/*; do rm -f "$f" && ln -s "$dir/precious" "$f"; done
	gives 2 "" "$SIMUL" run --quiet --resume "$state" --output "$dir" -- "$prog" && expect_eq "contents behind the link" precious "$(<"$dir/precious")"
}

writable() {
	mkdir "$dir/state" && chmod 777 "$dir/state" &&
		gives 2 "every user can write to it" "$SIMUL" run --resume "$dir/state" -- "$prog" &&
		gives 2 "every user can write to it" "$SIMUL" stress --state "$dir/state" -- "$prog"
}

foreign() {
	[ "$(id -u)" = 0 ] || return 0 # only root can give a directory away
	mkdir "$dir/state" && chown nobody "$dir/state" && gives 2 "belongs to another user" "$SIMUL" run --resume "$dir/state" -- "$prog"
}

new_case "a recording of one's own" own_recording
new_case "a recording of another user" other_user
new_case "a recording whose arguments hide text" shown_safely
new_case "a recording that was changed" changed --evil
new_case "a recording of another program" other_program
new_case "a recording that loads a library" loader
new_case "the question on a terminal" asked
new_case "secrets in the environment" secrets
new_case "secrets inside values" secret_values
new_case "secrets in arguments" secret_arguments
new_case "variables that are not read" unread
new_case "variables that are read unseen" unseen
new_case "the environment of a replay" environment
new_case "a lower limit on the stack" stack_limit
new_case "links in a state directory" links
new_case "a state directory for everybody" writable
new_case "a state directory of another user" foreign
finish
