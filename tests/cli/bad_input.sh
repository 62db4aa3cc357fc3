# Programs and options that cannot be used.

no_file() { fails 2 "no such file" "$SIMUL" run -- ./no_such_program; }
not_in_path() { fails 2 "no such program in PATH" "$SIMUL" run -- no_such_program_anywhere; }
a_directory() { fails 2 "is a directory" "$SIMUL" run -- /tmp/; }
not_executable() {
	cp "$bin/fine" "$dir/prog" && chmod -x "$dir/prog"
	fails 2 "not executable" "$SIMUL" run -- "$dir/prog"
}
empty_file() {
	: >"$dir/prog" && chmod +x "$dir/prog"
	fails 2 "is empty" "$SIMUL" run -- "$dir/prog"
}
text_file() {
	echo "hello, world" >"$dir/prog" && chmod +x "$dir/prog"
	fails 2 "neither an ELF program" "$SIMUL" run -- "$dir/prog"
}
truncated_elf() {
	head -c 40 "$bin/fine" >"$dir/prog" && chmod +x "$dir/prog"
	fails 2 "damaged program file" "$SIMUL" run -- "$dir/prog"
}
object_file() {
	gcc -c -o "$dir/prog.o" tests/cli/prog/fine.c && chmod +x "$dir/prog.o"
	fails 2 "object or core file" "$SIMUL" run -- "$dir/prog.o"
}
static_program() {
	gcc -static -pthread -o "$dir/prog" tests/cli/prog/fine.c || return 77
	fails 2 "statically linked" "$SIMUL" run -- "$dir/prog"
}
static_pie_program() {
	gcc -static-pie -pthread -o "$dir/prog" tests/cli/prog/fine.c || return 77
	fails 2 "without -static" "$SIMUL" run -- "$dir/prog"
}
# The header of a 64-bit program with another machine (byte 18) or class (byte 4).
patched() { cp "$bin/fine" "$dir/prog" && printf "$2" | dd of="$dir/prog" bs=1 seek="$1" conv=notrunc status=none; }
other_machine() {
	patched 18 '\267\000'
	fails 2 "ARM64" "$SIMUL" run -- "$dir/prog"
}
program_32_bit() {
	# an ELF header of a 32-bit x86 executable
	printf '\177ELF\001\001\001\000\000\000\000\000\000\000\000\000\002\000\003\000\001\000\000\000' >"$dir/prog"
	printf '\000\200\004\010\064\000\000\000\000\000\000\000\000\000\000\000\064\000\040\000\000\000\050\000\000\000\000\000' >>"$dir/prog"
	chmod +x "$dir/prog"
	fails 2 "32-bit" "$SIMUL" run -- "$dir/prog"
}
set_user_id() {
	cp "$bin/fine" "$dir/prog" && chmod u+s "$dir/prog"
	fails 2 "set-user-ID" "$SIMUL" run -- "$dir/prog"
}
set_group_id() {
	cp "$bin/fine" "$dir/prog" && chmod g+s "$dir/prog"
	fails 2 "set-group-ID" "$SIMUL" run -- "$dir/prog"
}
missing_library() {
	echo 'int answer(void) { return 42; }' | gcc -shared -fPIC -o "$dir/libanswer.so" -xc -
	echo 'int answer(void); int main(void) { return answer(); }' |
		gcc -o "$dir/prog" -xc - -L"$dir" -lanswer
	rm "$dir/libanswer.so"
	fails 2 "libanswer.so" "$SIMUL" run -- "$dir/prog"
}
java_machine() {
	echo 'int jli(void) { return 0; }' | gcc -shared -fPIC -o "$dir/libjli.so" -xc -
	echo 'int jli(void); int main(void) { return jli(); }' | gcc -o "$dir/java" -xc - -L"$dir" -ljli "-Wl,-rpath,$dir"
	fails 2 "Java virtual machine" "$SIMUL" run -- "$dir/java"
}
no_threads() { fails 2 "nothing to explore" "$SIMUL" run -- "$bin/no_threads"; }
forks_first() { fails 2 "threads in child processes" "$SIMUL" run -- "$bin/forks_first"; }
# The set-up of such a script does not take long because simul sees its accesses, so --no-patch is no advice.
forks_long() {
	printf '#!/bin/sh\n%s\nwhile :; do :; done\n' "$bin/forks_first" >"$dir/script" && chmod +x "$dir/script" || return 1
	works 0 "$SIMUL" run --time 2s -- "$dir/script" || return 1
	says "before the program created a thread; 1 process that the program started created threads, which simul did not control" "$dir/out" &&
		! grep -q -e --no-patch "$dir/out" "$dir/err"
}
fails_early() {
	works 2 "$SIMUL" run -- "$bin/no_threads" quick || return 1
	says "failed before it created a thread" "$dir/err" && says "no such test: quick" "$dir/err"
}
unknown_option() { fails 2 "did you mean '--strategy'" "$SIMUL" run --stratgy optimal -- "$bin/fine"; }
far_option() { fails 2 "unknown option '--frobnicate'" "$SIMUL" run --frobnicate -- "$bin/fine"; }
bad_strategy() { fails 2 "did you mean 'optimal'" "$SIMUL" run --strategy optimial -- "$bin/fine"; }
bad_number() { fails 2 "--executions 12x: expected a whole number" "$SIMUL" run --executions 12x -- "$bin/fine"; }
negative_number() { fails 2 "--executions -5" "$SIMUL" run --executions -5 -- "$bin/fine"; }
zero_number() { fails 2 "at least 1" "$SIMUL" run --executions 0 -- "$bin/fine"; }
huge_number() { fails 2 "--seed 99999999999999999999" "$SIMUL" run --seed 99999999999999999999 -- "$bin/fine"; }
bad_duration() { fails 2 "a duration such as" "$SIMUL" run --time soon -- "$bin/fine"; }
no_value() { fails 2 "--time needs a value" "$SIMUL" run --time; }
value_for_flag() { fails 2 "takes no value" "$SIMUL" run --quiet=yes -- "$bin/fine"; }
no_program() { fails 2 "no program given" "$SIMUL" run; }
bad_output() { fails 2 "not a directory" "$SIMUL" run --output "$bin/fine" -- "$bin/fine"; }
bad_json() { fails 2 "--json /no/such/dir/x.json" "$SIMUL" run --json /no/such/dir/x.json -- "$bin/fine"; }
little_memory() { fails 2 "--memory" "$SIMUL" run --memory 1M -- "$bin/fine"; }
unknown_command() { fails 2 "did you mean 'simul replay'" "$SIMUL" relpay x && fails 2 "did you mean 'simul run'" "$SIMUL" rnu x; }
source_file() { fails 2 "is source code" "$SIMUL" run -- "$top/tests/run/proc_system.c"; }
forgotten_run() { fails 2 "simul run -- ./queue_test" "$SIMUL" ./queue_test; }
unknown_help() { fails 2 "no command 'frob'" "$SIMUL" help frob; }
few_files() { # one line for each command, before anything is begun
	for c in "run --" replay minimize; do
		# shellcheck disable=SC2086
		fails 2 "the limit on open files is 64, and simul needs 256: ulimit -n 256" bash -c 'ulimit -n 64; exec "$@"' - "$SIMUL" $c "$bin/fine" || return 1
	done
}

for c in no_file not_in_path a_directory not_executable empty_file text_file truncated_elf object_file static_program \
	static_pie_program other_machine program_32_bit set_user_id set_group_id missing_library java_machine no_threads \
	forks_first forks_long fails_early unknown_option far_option bad_strategy bad_number negative_number zero_number huge_number \
	bad_duration no_value value_for_flag no_program bad_output bad_json little_memory unknown_command source_file \
	forgotten_run unknown_help few_files; do
	run_case "bad input: $c" $c
done
# A libsimul.so of another version would do nothing, and the program would run without simul.
other_version() {
	local at version
	cp "$SIMUL" "$(dirname "$SIMUL")/libsimul.so" "$dir" || return 1
	at=$(readelf -SW "$dir/libsimul.so" | sed -nE 's/.* \.note\.simul +NOTE +[0-9a-f]+ ([0-9a-f]+) .*/\1/p')
	version=$(sed -n 's/#define SESSION_VERSION //p' base/session.h)
	printf '\001\000\000\000' | dd of="$dir/libsimul.so" bs=1 seek=$((0x$at + 20)) conv=notrunc status=none || return 1
	fails 2 "libsimul.so is of another version than this simul (session 1, not $version)" "$dir/simul" run -- "$bin/fine"
}
older_version() {
	cp "$SIMUL" "$dir/simul" && objcopy --remove-section .note.simul "$(dirname "$SIMUL")/libsimul.so" "$dir/libsimul.so" || return 1
	fails 2 "does not say its version" "$dir/simul" run -- "$bin/fine"
}
run_case "a libsimul.so of another version" other_version
run_case "a libsimul.so of before versions" older_version
