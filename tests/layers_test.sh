#!/bin/bash
# Each check of tests/layers.sh passes on a small tree that follows the rules and fails on one that breaks a rule.
. "$(dirname "$0")/lib.sh"
suite layers_test

good_tree() {
	mkdir -p "$dir"/{base,sched,explore,preload/patch,demos/d}
	echo 'int base_f(int x);' >"$dir/base/b.h"
	printf '#include "base/b.h"\n#include <stdint.h>\n' >"$dir/sched/event.h"
	printf '#include "sched/event.h"\n#include <string.h>\n' >"$dir/explore/e.c"
	printf '#include "sched/event.h"\n#include <unistd.h>\n' >"$dir/preload/p.c"
	printf '#include <pthread.h>\n' >"$dir/demos/d/prog.c"
}

# must_fail PATTERN CMD...: CMD fails and prints PATTERN
must_fail() {
	local pattern=$1 out
	shift
	if out=$("$@" 2>&1); then
		echo "passed, but should have failed: $*"
		return 1
	fi
	grep -qE -- "$pattern" <<<"$out" && return 0
	echo "failed without saying /$pattern/: $out"
	return 1
}

includes_good() { good_tree; tests/layers.sh includes "$dir"; }
includes_bad() { # FILE LINE PATTERN
	good_tree
	echo "$2" >>"$dir/$1"
	must_fail "$3" tests/layers.sh includes "$dir"
}
includes_empty() { must_fail 'no #include found' tests/layers.sh includes "$dir"; }

# order FILE LINE...: files of recorder/ with one line each, besides two that keep the order of its rooms
order() {
	set -- recorder/recording.h '#include "base/b.h"' recorder/format/f.c '#include "recorder/recording.h"' "$@"
	for (( ; $#; )); do
		mkdir -p "$dir/${1%/*}"
		echo "$2" >"$dir/$1"
		shift 2
	done
}
order_good() { order "$@" && tests/layers.sh order "$dir"; }
order_bad() { # PATTERN FILE LINE...
	local pattern=$1
	order "${@:2}" && must_fail "$pattern" tests/layers.sh order "$dir"
}
order_empty() { must_fail 'no rooms found' tests/layers.sh order "$dir"; }

# objects SOURCE_OF_SCHED SOURCE_OF_EXPLORE: compiles them into the folder that the check reads
objects() {
	mkdir -p "$dir"/cli/{base,sched,explore}
	echo 'int base_f(int x){return x;}' | gcc -x c -c -o "$dir/cli/base/b.o" - || return 1
	echo "$1" | gcc -O1 -fPIC -w -x c -c -o "$dir/cli/sched/s.o" - || return 1
	echo "$2" | gcc -O1 -fPIC -w -x c -c -o "$dir/cli/explore/e.o" - || return 1
	cp -r "$dir/cli" "$dir/lib"
}
good_sched='int base_f(int); void *memcpy(void*,const void*,unsigned long);
static const char *const names[] = {"a", "b"}; const char *name(int i) {return names[i];}
void cp(char *a,char *b,unsigned long n){memcpy(a,b,n);} int sched_f(int x){return base_f(x)+1;}'
good_explore='int sched_f(int); int explore_f(int x){return sched_f(x);}'
symbols_good() { objects "$good_sched" "$good_explore" && tests/layers.sh symbols "$dir"; }
symbols_bad() { # SCHED EXPLORE PATTERN
	objects "$good_sched $1" "$good_explore $2" && must_fail "$3" tests/layers.sh symbols "$dir"
}
symbols_empty() { must_fail 'no objects' tests/layers.sh symbols "$dir"; }

# library SOURCE: a shared library and a hooks.def that lists `hook` and `refused`, not `passed`
library() {
	echo "$1" | gcc -w -shared -fPIC -x c -o "$dir/lib.so" - || return 1
	printf 'MODEL(int, hook,\n\t(int a))\nPASS(int, passed, (void))\nREFUSE(int, refused, (void))\n' >"$dir/hooks.def"
}
exports_good() { library 'int hook(int a){return a;} int refused(void){return 1;}' && tests/layers.sh exports "$dir/lib.so" "$dir/hooks.def"; }
exports_bad() { # SOURCE PATTERN
	library "$1" && must_fail "$2" tests/layers.sh exports "$dir/lib.so" "$dir/hooks.def"
}
exports_two_lists() { # the functions of the second list: exported, and missing
	library 'int hook(int a){return a;} int refused(void){return 1;} void reads(void*p){}' &&
		echo 'ACCESS(reads, 4, MEM_READ)' >"$dir/tsan.def" &&
		tests/layers.sh exports "$dir/lib.so" "$dir/hooks.def $dir/tsan.def" &&
		echo 'NOTHING(writes)' >>"$dir/tsan.def" &&
		must_fail 'does not export: writes' tests/layers.sh exports "$dir/lib.so" "$dir/hooks.def $dir/tsan.def"
}
exports_no_lib() { library 'int hook;' && must_fail 'exports nothing' tests/layers.sh exports "$dir/none.so" "$dir/hooks.def"; }

# rooms PART/ROOM SOURCE...: compiles each into an object of that room, besides a tree that keeps the order
rooms() {
	local side at
	set -- preload/base 'int base_f(void){return 1;}' preload/hooks 'int base_f(void); int hook_f(void){return base_f();}' \
		preload 'int hook_f(void); int init_f(void){return hook_f();}' cli/base 'int say(void){return 1;}' \
		cli 'int say(void); int start(void){return say();}' recorder 'int recorded(void){return 1;}' \
		recorder/report 'int recorded(void); int report(void){return recorded();}' "$@"
	for (( ; $#; )); do
		side=$([[ $1 == preload* ]] && echo lib || echo cli)
		at=$dir/$side/$1/$(mktemp -u XXXXXX).o
		mkdir -p "${at%/*}"
		echo "$2" | gcc -w -fPIC "-fvisibility=$([ $side = lib ] && echo hidden || echo default)" -x c -c -o "$at" - || return 1
		shift 2
	done
}
rooms_good() { rooms "$@" && tests/layers.sh rooms "$dir"; }
rooms_bad() { # PATTERN PART/ROOM SOURCE...
	local pattern=$1
	rooms "${@:2}" && must_fail "$pattern" tests/layers.sh rooms "$dir"
}
rooms_empty() { must_fail 'no objects of preload/' tests/layers.sh rooms "$dir"; }
libc_name='__attribute__((visibility("default")))'

# sides FILE LINE: a tree where FILE chooses its side, besides a file that may
sides() {
	mkdir -p "$dir"/{base/session,cli/segment} "$dir/${1%/*}"
	cp base/session/sides.h "$dir/base/session/"
	echo '#define SESSION_NO_TARGET_RUNS' >"$dir/cli/segment/s.c"
	echo "$2" >>"$dir/$1"
}
sides_good() { sides cli/base/b.c '#ifdef SIMUL_TARGET' && tests/layers.sh sides "$dir"; }
sides_bad() { sides "$1" "$2" && must_fail "$1: must not choose its side" tests/layers.sh sides "$dir"; }
sides_empty() { must_fail 'no files found' tests/layers.sh sides "$dir"; }
# wrote FLAGS STATEMENT: compiles a file with these flags that makes the assignment in a session s
wrote() {
	# shellcheck disable=SC2086
	printf '#include "base/session.h"\nvoid f(struct session *s);\nvoid f(struct session *s) { %s; }\n' "$2" | gcc -I. -fsyntax-only $1 -x c -
}
wrote_both() { # FLAGS STATEMENT MAY_NOT: a side writes the first, and the compiler refuses the second
	wrote "$1" "$2" && must_fail 'read-only' wrote "$1" "$3"
}

# words TEXT GRANTED: creates a file with this text, which may have GRANTED banned words
words() {
	mkdir -p "$dir/tree/docs"
	echo "$1" >"$dir/tree/docs/page.md"
	echo "$2 docs/page.md" >"$dir/allowed"
}
words_good() { words "He told them once. A teller retold doorbells." 1 && WORDS_ROOT=$dir/tree WORDS_ALLOWED=$dir/allowed tests/words.sh; }
words_bad() { words "$1" "$2" && must_fail "$3" env WORDS_ROOT="$dir/tree" WORDS_ALLOWED="$dir/allowed" tests/words.sh; }
words_moved() {
	words "He told them." 1 && mkdir "$dir/tree/docs/room" && mv "$dir/tree/docs/page.md" "$dir/tree/docs/room/" &&
		WORDS_ROOT=$dir/tree WORDS_ALLOWED=$dir/allowed tests/words.sh || return 1
	echo "It is told." >"$dir/tree/docs/page.md" # the number is that of the old file again
	must_fail 'docs/room/page.md has 1' env WORDS_ROOT="$dir/tree" WORDS_ALLOWED="$dir/allowed" tests/words.sh
}
words_update() {
	words "He told them." 3 && WORDS_ROOT=$dir/tree WORDS_ALLOWED=$dir/allowed tests/words.sh --update || return 1
	expect_eq "what is granted" "1 docs/page.md" "$(cat "$dir/allowed")" || return 1
	echo "It is learnt anew." >>"$dir/tree/docs/page.md"
	must_fail 'more than before' env WORDS_ROOT="$dir/tree" WORDS_ALLOWED="$dir/allowed" tests/words.sh --update
}

# commits SUBJECT BODY LINES FILE: makes a repository with a commit that adds LINES lines to FILE
commits() {
	local git=(git -C "$dir/repo" -c user.name=n -c user.email=e -c commit.gpgsign=false)
	rm -rf "$dir/repo" && git init -q -b main "$dir/repo" && "${git[@]}" commit -q --allow-empty -m 'all: begin' && git -C "$dir/repo" tag begin || return 1
	mkdir -p "$dir/repo/$(dirname "$4")" && seq "$3" >"$dir/repo/$4" && git -C "$dir/repo" add . && "${git[@]}" commit -q -m "$1" -m "$2"
}
commits_good() { commits "$@" && COMMITS_OF=$dir/repo tests/lib/commits.sh begin; }
commits_bad() { commits "${@:2}" && must_fail "$1" env COMMITS_OF="$dir/repo" tests/lib/commits.sh begin; }

# A tree with code for the processor where it belongs, and lines elsewhere that only look like it.
processor_tree() {
	mkdir -p "$dir"/{base/x86_64,preload/hooks/x86_64,explore,cli,recorder}
	echo '	__asm__ volatile("" ::: "memory");' >"$dir/base/x86_64/processor.h"
	echo '#if defined(__x86_64__)' >"$dir/base/processor.h"
	echo 'f: ret' >"$dir/preload/hooks/x86_64/h.S"
	echo '.incbin "page.html"' >"$dir/recorder/embed.S"
	printf '%s\n' 'int target(void) __asm__("__sigsetjmp");' '#define SEEN(name) extern void name(void) __asm__("hook_" #name);' \
		'#include <asm/prctl.h>' 'regcomp(&re, pattern, REG_EXTENDED);' >"$dir/preload/p.c"
}
processor_good() { processor_tree && tests/layers.sh processor "$dir"; }
processor_bad() { # FILE LINE
	processor_tree
	echo "$2" >>"$dir/$1"
	must_fail "$1:[0-9]*: code for a processor belongs in a folder of its own" tests/layers.sh processor "$dir"
}
processor_empty() { must_fail 'no files found' tests/layers.sh processor "$dir"; }

# floats SOURCE TYPES: a library object that is compiled from SOURCE as the Makefile does, and a file with the line TYPES
floats() {
	mkdir -p "$dir/lib/preload"
	echo "$1" | gcc -O2 -fPIC -mgeneral-regs-only -x c -c -o "$dir/lib/preload/p.o" - || return 1
	printf '/* a double fetch:\n the float stays */\nconst char *text = "double \\" float"; // float\n%s\n' "$2" >"$dir/p.c"
}
floats_good() { floats 'int printf(const char *, ...); int f(int *p) { return printf("%d", *p + 1) % 3; }' 'int doubled, a_float;' && tests/layers.sh floats "$dir"; }
floats_bad() { floats "$1" "$2" && must_fail "$3" tests/layers.sh floats "$dir"; }
floats_empty() { must_fail 'no objects in' tests/layers.sh floats "$dir"; }

run_case "includes: a tree that keeps the rules" includes_good
run_case "includes: sched includes preload" includes_bad sched/event.h '#include "preload/control/ctl.h"' 'sched/ must not include "preload/control/ctl.h"'
run_case "includes: sched includes explore" includes_bad sched/event.h '#include "explore/explore.h"' 'sched/ must not include'
run_case "includes: explore includes the world" includes_bad explore/e.c '#include "sched/world.h"' 'explore/ must not include'
run_case "includes: explore includes stdio" includes_bad explore/e.c '# include <stdio.h>' 'pure code and must not include <stdio.h>'
run_case "includes: base includes sched" includes_bad base/b.h '#include "sched/event.h"' 'base/ must not include'
run_case "includes: preload includes cli" includes_bad preload/p.c '#include "cli/options/cmd.h"' 'preload/ must not include'
run_case "includes: preload includes tests" includes_bad preload/p.c '#include "tests/unit/lib_check.h"' 'preload/ must not include'
run_case "includes: angle brackets do not help" includes_bad preload/p.c '#include <cli/options/cmd.h>' 'write "cli/options/cmd.h"'
run_case "includes: without the folder" includes_bad preload/p.c '#include "ctl.h"' 'preload/ must not include'
run_case "includes: through a macro" includes_bad preload/p.c '#include HEADER' 'cannot tell'
run_case "includes: a demo includes simul" includes_bad demos/d/prog.c '#include "base/check.h"' 'demos/ must not include'
run_case "includes: patch includes control" includes_bad preload/patch/p.c '#include "preload/control/ctl.h"' 'preload/patch/ must not include'
run_case "includes: nothing there" includes_empty
run_case "order: includes that keep it" order_good recorder/html/h.c '#include "recorder/format/format.h"'
run_case "order: an include upwards" order_bad 'recorder/order/ is below recorder/report/ and must not include "recorder/report/report.h"' \
	recorder/order/o.h '#include "recorder/report/report.h"'
run_case "order: an include upwards in preload" order_bad 'preload/memory/ is below preload/control/ and must not include "preload/control/ctl.h"' \
	preload/memory/m.c '#include "preload/control/ctl.h"'
run_case "order: an include upwards in cli" order_bad 'cli/verdict/ is below cli/nightly/stress/ and must not include "cli/nightly/stress/stress.h"' \
	cli/verdict/v.h '#include "cli/nightly/stress/stress.h"'
run_case "order: a room of cli includes the command" order_bad 'cli/bugs/ is below cli/top/' cli/bugs/b.h '#include "cli/run_check.h"'
run_case "order: init includes every room" order_good preload/init.c '#include "preload/libc/accesses.h"'
run_case "order: a room includes init" order_bad 'preload/libc/ is below preload/top/' preload/libc/l.c '#include "preload/init.h"'
run_case "order: an include of the top, where it is the lowest" order_bad 'recorder/top/ is below recorder/format/ and must not' \
	recorder/recording.h '#include "recorder/format/format.h"'
run_case "order: a room without a place" order_bad 'recorder/attic/ has no place in the order' recorder/attic/a.c '#include "recorder/recording.h"'
run_case "order: an include of a room without a place" order_bad 'recorder/format/deep/ has no place in the order' \
	recorder/html/a.c '#include "recorder/format/deep/a.h"'
run_case "order: a folder of the processor belongs to its room" order_bad 'recorder/order/ is below recorder/report/ and must not include' \
	recorder/order/x86_64/o.h '#include "recorder/report/report.h"'
run_case "order: nothing there" order_empty
run_case "symbols: objects that keep the rules" symbols_good
run_case "symbols: sched calls printf" symbols_bad 'int printf(const char*,...); void f(void){printf("%d",1);}' '' 'refers to printf'
run_case "symbols: sched calls malloc" symbols_bad 'void *malloc(unsigned long); void *f(int n){return malloc(n);}' '' 'refers to malloc'
run_case "symbols: explore calls clock_gettime" symbols_bad '' 'int clock_gettime(int,void*); int f(void*p){return clock_gettime(1,p);}' 'refers to clock_gettime'
run_case "symbols: explore calls syscall" symbols_bad '' 'long syscall(long,...); long f(void){return syscall(1);}' 'refers to syscall'
run_case "symbols: explore calls pthread_self" symbols_bad '' 'long pthread_self(void); long f(void){return pthread_self();}' 'refers to pthread_self'
run_case "symbols: sched calls explore" symbols_bad 'int explore_f(int); int f(int x){return explore_f(x);}' '' 'refers to explore_f'
run_case "symbols: sched reads errno" symbols_bad 'int *__errno_location(void); int f(void){return *__errno_location();}' '' 'refers to __errno_location'
run_case "symbols: a static counter" symbols_bad '' 'int f(void){static int n; return ++n;}' 'has a variable: n'
run_case "symbols: an initialised global" symbols_bad 'int limit = 7;' '' 'has a variable: limit'
run_case "symbols: a thread-local" symbols_bad '__thread int mine; int f(void){return ++mine;}' '' '(has a variable: mine|refers to __tls)'
run_case "symbols: nothing there" symbols_empty
run_case "exports: a library that keeps the rules" exports_good
run_case "exports: one too many" exports_bad 'int hook(int a){return a;} int refused(void){return 1;} int extra;' 'exports, but .* does not list it: extra'
run_case "exports: a PASS line" exports_bad 'int hook(int a){return a;} int refused(void){return 1;} int passed(void){return 1;}' 'does not list it: passed'
run_case "exports: one missing" exports_bad 'int hook(int a){return a;}' 'does not export: refused'
run_case "exports: two lists" exports_two_lists
run_case "exports: no library" exports_no_lib
run_case "rooms: an order that is kept" rooms_good
run_case "rooms: a call upwards" rooms_bad 'preload/base/ is below preload/hooks/ and must not refer to hook_f' preload/base 'int hook_f(void); int f(void){return hook_f();}'
run_case "rooms: a variable of a higher room" rooms_bad 'preload/memory/ is below preload/life/ and must not refer to turn' preload/life 'int turn;' \
	preload/memory 'extern int turn; int f(void){return turn;}'
run_case "rooms: the address of a higher function" rooms_bad 'must not refer to hook_f' preload/control 'int hook_f(void); int (*table[])(void) = {hook_f};'
run_case "rooms: a call of init" rooms_bad 'preload/hooks/ is below preload/top/ and must not refer to init_f' preload/hooks 'int init_f(void); int f(void){return init_f();}'
run_case "rooms: libc by its name" rooms_good preload/hooks "$libc_name int pthread_yield(void){return 0;}" preload/base 'int pthread_yield(void); int f(void){return pthread_yield();}'
run_case "rooms: a room without a place" rooms_bad 'preload/attic/ has no place in the order' preload/attic 'int f(void){return 0;}'
run_case "rooms: a call upwards in cli" rooms_bad 'cli/base/ is below cli/nightly/stress/ and must not refer to stress' cli/nightly/stress 'int stress(void){return 0;}' \
	cli/base 'int stress(void); int f(void){return stress();}'
run_case "rooms: a call upwards in recorder" rooms_bad 'recorder/order/ is below recorder/report/ and must not refer to report' \
	recorder/order 'int report(void); int f(void){return report();}'
run_case "rooms: a folder of the processor belongs to its room" rooms_good preload/hooks/x86_64 'int base_f(void); int stub(void){return base_f();}'
run_case "rooms: a call upwards from a folder of the processor" rooms_bad 'preload/base/ is below preload/hooks/ and must not refer to hook_f' \
	preload/base/x86_64 'int hook_f(void); int stub(void){return hook_f();}'
run_case "rooms: nothing there" rooms_empty
run_case "sides: files that keep theirs" sides_good
run_case "sides: a file of the supervisor writes for the target" sides_bad cli/supervise/s.c '#define SESSION_NO_TARGET_RUNS'
run_case "sides: a file of the target writes for the supervisor" sides_bad preload/life/l.c '# undef SIMUL_TARGET'
run_case "sides: a header of the segment" sides_bad cli/segment/s.h '#define SESSION_NO_TARGET_RUNS'
run_case "sides: nothing there" sides_empty
run_case "sides: the supervisor writes its part" wrote_both '' 's->ctl.requests.stop_request = 1' 's->ctl.execution.flight = 1'
run_case "sides: the supervisor writes a bug" wrote_both '' 's->config.mode = 1' 's->bug.kind = 1'
run_case "sides: the target writes its part" wrote_both -DSIMUL_TARGET 's->ctl.execution.flight = 1' 's->ctl.requests.stop_request = 1'
run_case "sides: both write" wrote_both -DSIMUL_TARGET 's->ctl.handshake.hang_request = 0' 's->layout.size = 0'
run_case "commits: a change with its reason" commits_good 'explore: count each trace once' 'Some were counted twice.' 100 explore/a.c
run_case "commits: a small change" commits_good 'explore: count each trace once' '' 40 explore/a.c
run_case "commits: documents and tests" commits_good 'docs, tests: more of both' '' 100 tests/a.c
run_case "commits: no reason" commits_bad 'does not say why' 'explore: count each trace once' '' 41 explore/a.c
run_case "commits: no part" commits_bad 'is not "part: what' 'count each trace once' 'Why.' 1 explore/a.c
run_case "commits: a long subject" commits_bad 'more than 90' "explore: $(printf 'word %.0s' {1..20})word" 'Why.' 1 explore/a.c
run_case "commits: two changes" commits_bad 'one change in each' 'explore: count traces; show them' 'Why.' 1 explore/a.c
run_case "commits: a full stop" commits_bad 'full stop' 'explore: count traces.' 'Why.' 1 explore/a.c
run_case "commits: an unknown revision" must_fail 'no revision no-such' tests/lib/commits.sh no-such
run_case "processor: a tree with code in its folder" processor_good
run_case "processor: nothing there" processor_empty
run_case "floats: integers only" floats_good
run_case "floats: a comparison" floats_bad 'int f(double *a) { return *a < 1; }' '' 'p.o: must not calculate with floating point \(__ltdf2\)'
run_case "floats: a conversion" floats_bad 'void f(unsigned long *a, float *b) { *a = *b; }' '' 'must not calculate with floating point \(__fixunssfdi\)'
run_case "floats: a type" floats_bad 'int f;' 'int f(const char *s) { return printf("%f", (double)2); }' 'p.c:4: .* without floating point'
run_case "floats: a type after a comment" floats_bad 'int f;' '/* a */ long double x;' 'p.c:4: '
run_case "floats: nothing there" floats_empty
run_case "processor: an instruction" processor_bad preload/p.c '	__asm__ volatile("pause");'
run_case "processor: a function in assembly" processor_bad cli/c.c '__asm__(".text");'
run_case "processor: a macro with assembly" processor_bad cli/c.h '#define WAIT() asm("pause")'
run_case "processor: a register variable" processor_bad base/b.h 'register long r __asm__("r10") = d;'
run_case "processor: a register of a context" processor_bad preload/p.c 'pc = g[REG_RIP];'
run_case "processor: registers of a context" processor_bad preload/p.c 'use(uc->uc_mcontext.gregs);'
run_case "processor: a condition" processor_bad explore/e.c '#ifdef __x86_64__'
run_case "processor: a built-in function" processor_bad explore/e.c '__builtin_ia32_pause();'
run_case "processor: a file in assembly" processor_bad preload/hooks/h.S 'f: ret'
run_case "words: no more than granted" words_good
run_case "words: one more than granted" words_bad "Told, and then told again." 1 'docs/page.md has 2 .* 1 are granted'
run_case "words: a form of one" words_bad "It was spoilt." 0 'spoilt'
run_case "words: two words" words_bad "It looks in vain." 0 'in vain'
run_case "words: a file that moved" words_moved
# A suite that is interrupted ends all processes that its cases started, in whatever session they are.
interrupted() {
	local pid left i
	cat >"$dir/suite.sh" <<-END
		unset TESTS_RUN_BY
		. "$top/tests/lib.sh"
		suite interrupted_suite
		both() { setsid sleep 1234.$$ & setsid -f sleep 1234.$$; sleep 1234.$$; }
		run_case "waits" both
		finish
	END
	sed -i "s/1234\.\$\$/1234.$$/" "$dir/suite.sh"
	setsid -w env -u TESTS_RUN_BY -u FILTER bash "$dir/suite.sh" >"$dir/out" 2>&1 &
	for ((i = 0; i < 300; i++)); do
		[ "$(pgrep -cf "^sleep 1234.$$\$")" = 3 ] && break
		sleep 0.1
	done
	pid=$(pgrep -of "bash $dir/suite.sh")
	expect_eq processes 3 "$(pgrep -cf "^sleep 1234.$$\$")" && kill -TERM "$pid" && wait $! 2>/dev/null
	left=$(pgrep -f "^sleep 1234.$$\$")
	[ -z "$left" ] || { kill $left; echo "left: $left"; cat "$dir/out"; return 1; }
}
run_case "an interrupted suite leaves nothing" interrupted
run_case "words: less is granted, never more" words_update
finish
