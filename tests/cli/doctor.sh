# simul doctor: what simul can see of a program, and which files it cannot analyse.

doctor_prog() { # FLAGS...: builds $dir/prog with a race, a library beside it, a function without unwind information, one that cannot be moved
	cat >"$dir/prog.c" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int n;
static void *worker(void *arg) { n++; return arg; }
__asm__(".globl bare\n.type bare, @function\nbare:\n movl (%rdi), %eax\n ret\n.size bare, . - bare\n"
	".globl overlapping\n.type overlapping, @function\noverlapping:\n.cfi_startproc\n jz 1f + 1\n1: .byte 0xb8, 0x31, 0xc0, 0xc3, 0x90\n ret\n.cfi_endproc\n.size overlapping, . - overlapping\n");
int main(int argc, char **argv)
{
	pthread_t t;
	fopen("main_ran", "w");
	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return n == 1 ? 0 : 1;
}
END
	gcc -O1 -pthread "$@" -o "$dir/prog" "$dir/prog.c"
}
doctor_plain() {
	doctor_prog -g || return 1
	works 0 "$SIMUL" doctor "$dir/prog" || return 1
	says "simul can run it" && says "patching           yes" && says "not compiled with it" || return 1
	says "overlapping" && says "a branch into the middle of an instruction" && says "  bare" || return 1
	! grep -q "no debugging information" "$dir/out" || { echo "it has debugging information"; return 1; }
	[ ! -e main_ran ] && [ ! -e "$dir/main_ran" ] || { echo "main was run"; return 1; }
}
doctor_stripped() {
	doctor_prog -s || return 1
	works 0 "$SIMUL" doctor "$dir/prog" && says "no debugging information" && says "libraries that dlclose unloads" && says "patching           yes" && says "prog+0x"
}
doctor_json_file() {
	doctor_prog -g || return 1
	works 0 "$SIMUL" doctor --json "$dir/j" "$dir/prog" || return 1
	expect_eq schema 1 "$(json "$dir/j" schema)" && expect_eq accesses true "$(json "$dir/j" accesses)" || return 1
	expect_eq uncovered 1 "$(json "$dir/j" uncovered_functions)" || return 1
	expect_eq function overlapping "$(json "$dir/j" uncovered.0.function)" || return 1
	expect_eq bare bare "$(json "$dir/j" without_unwind_information.0)" || return 1
	[ "$(json "$dir/j" modules.0.accesses)" -gt 0 ] && [ "$(json "$dir/j" modules.0.covered)" -gt 2 ]
}
doctor_json_to_stdout() {
	works 0 "$SIMUL" doctor --json - "$bin/fine" || return 1
	expect_eq program "$bin/fine" "$(json "$dir/out" program)" && says "simul can run it" "$dir/err"
}
doctor_short_run() { # a lock of the program's own, and how to declare it; the option that it prints is right
	g++ -g -pthread -o "$dir/prog" "$top/tests/learned/lock.cpp" || return 1
	works 0 "$SIMUL" doctor --run "$dir/prog" && says "complete: there is no need to declare a lock" || return 1
	works 0 "$SIMUL" doctor --run --json "$dir/j" "$dir/prog" 3 3 || return 1
	says "queue.guard.word (taken in app::SpinLock<unsigned int>::lock" && says "isolation: rewind" || return 1
	expect_eq option "--lock '_ZN3app8SpinLockIjE4lockEv'" "$(json "$dir/j" short_run.like_locks.0.option)" || return 1
	works 0 "$SIMUL" doctor --run "$bin/fine" && says "a short search" && ! grep -q "behaves like" "$dir/out" || return 1
	works 0 "$SIMUL" doctor --run true && says "ended without creating a thread" || return 1
	expect_eq "temporary directories" 0 "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'simul-doctor-*' -newer "$dir/prog" | wc -l)"
}
doctor_library() {
	echo 'int counter; int lib_step(void) { return ++counter; }' >"$dir/lib.c"
	echo '#include <pthread.h>
int lib_step(void); int main(void) { return lib_step() - 1; }' >"$dir/m.c"
	mkdir -p "$dir/far" && gcc -g -shared -fPIC -o "$dir/far/libstep.so" "$dir/lib.c" &&
		gcc -g -pthread -o "$dir/prog" "$dir/m.c" -L"$dir/far" -lstep || return 1
	export LD_LIBRARY_PATH=$dir/far
	works 0 "$SIMUL" doctor "$dir/prog" && says "libstep.so                 each function is patched when a thread first calls it" || return 1
	works 0 "$SIMUL" doctor --patch 'libstep*' --json "$dir/j" -- "$dir/prog" || return 1
	expect_eq "the library" "$dir/far/libstep.so" "$(json "$dir/j" modules.1.path)" || return 1
	! grep -q "each function is patched when a thread first calls it" "$dir/out" || { echo "it is not patched at once"; return 1; }
}
doctor_tsan_gcc() {
	doctor_prog -g -fsanitize=thread || return 1
	works 0 "$SIMUL" doctor "$dir/prog" && says "-fsanitize=thread  yes" && says "simul replaces gcc's run-time library"
}
doctor_tsan_clang_static() {
	clang -g -pthread -fsanitize=thread -o "$dir/prog" tests/cli/prog/fine.c || return 77
	fails 2 "-shared-libsan" "$SIMUL" doctor "$dir/prog"
}
doctor_link() {
	ln -s "$bin/fine" "$dir/another_name"
	works 0 "$SIMUL" doctor "$dir/another_name" && says "another_name" || return 1
	! grep -q "accesses in fine" "$dir/out" || { echo "the program is taken for a library"; return 1; }
}
doctor_script() {
	printf '#!/bin/sh\nexec true\n' >"$dir/prog" && chmod +x "$dir/prog"
	fails 2 "is a script" "$SIMUL" doctor "$dir/prog"
}
doctor_text() {
	echo "hello" >"$dir/prog" && chmod +x "$dir/prog"
	fails 2 "neither an ELF program" "$SIMUL" doctor "$dir/prog"
}
doctor_static() {
	gcc -static -pthread -o "$dir/prog" tests/cli/prog/fine.c || return 77
	fails 2 "statically linked" "$SIMUL" doctor "$dir/prog"
}
doctor_setuid() {
	cp "$bin/fine" "$dir/prog" && chmod u+s "$dir/prog"
	fails 2 "set-user-ID" "$SIMUL" doctor "$dir/prog"
}
doctor_no_file() { fails 2 "no such file" "$SIMUL" doctor ./no_such_program; }
doctor_nothing() { fails 2 "no program given" "$SIMUL" doctor; }
doctor_misspelt() { fails 2 "did you mean '--patch'" "$SIMUL" doctor --pach x "$bin/fine"; }
doctor_json_unwritable() { fails 2 "cannot be written" "$SIMUL" doctor --json /nonexistent/j "$bin/fine"; }
doctor_dies_early() {
	printf '#include <unistd.h>\n__attribute__((constructor)) static void f(void) { _exit(3); }\n' | gcc -shared -fPIC -x c - -o "$dir/libearly.so" &&
		gcc -pthread -o "$dir/prog" tests/cli/prog/fine.c -Wl,--no-as-needed -L"$dir" -learly || return 1
	export LD_LIBRARY_PATH=$dir
	within 60 "$SIMUL" doctor "$dir/prog" >"$dir/out" 2>"$dir/err"
	status=$?
	cat "$dir/out" "$dir/err"
	# the library's constructor may come before or after simul's
	[ $status = 0 ] || { expect_eq status 2 $status && says "ends before it reaches main" "$dir/err"; }
}
doctor_leaves_nothing() {
	works 0 "$SIMUL" doctor "$bin/fine" only_for_the_doctor_$$ && no_processes "only_for_the_doctor_$$"
}

for c in doctor_plain doctor_stripped doctor_json_file doctor_json_to_stdout doctor_short_run doctor_library doctor_tsan_gcc doctor_tsan_clang_static \
	doctor_link doctor_script doctor_text doctor_static doctor_setuid doctor_no_file doctor_nothing doctor_misspelt doctor_json_unwritable \
	doctor_dies_early doctor_leaves_nothing; do
	run_case "$c" "$c"
done
