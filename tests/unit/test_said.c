/* Finds the line of the output that says why a program failed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/said.h"

/* place NULL: no line must be found */
static void expect(const char *output, const char *place, const char *line)
{
	struct said said = { .place = "" };

	assert_int_equal(said_find(output, &said), place != NULL);
	if (!place)
		return;
	assert_string_equal(said.place, place);
	assert_string_equal(said.line, line);
	assert_int_equal(said.number, atoi(strrchr(place, ':') + 1));
	assert_non_null(strstr(line, said.path));
}

static void test_frameworks(void **state)
{
	expect("[ RUN      ] A.b\n/src/q_test.cc:41: Failure\nExpected: x\n", "q_test.cc:41", "/src/q_test.cc:41: Failure");
	expect("q.cpp:7: FAILED:\n  REQUIRE( x == 2 )\n", "q.cpp:7", "q.cpp:7: FAILED:");
	expect("dt.cc:5:\nTEST CASE:  race\n\ndt.cc:5: ERROR: CHECK( x==2 ) is NOT correct!\n", "dt.cc:5",
		"dt.cc:5: ERROR: CHECK( x==2 ) is NOT correct!");
	expect("\033[1mbt.cpp(12)\033[0m: \033[1;31;49merror: in \"a\": check x == 2 has failed [0 != 2]\033[0;39;49m\n", "bt.cpp:12",
		"bt.cpp(12): error: in \"a\": check x == 2 has failed [0 != 2]");
	expect("\033[Ka.c:4:\033[1m test failed\033[0m\033[K\n", "a.c:4", "a.c:4: test failed");
	expect("[  ERROR   ] --- 0 != 0x2\n[   LINE   ] --- t/cm.c:9: error: Failure!\n", "cm.c:9", "[   LINE   ] --- t/cm.c:9: error: Failure!");
	expect("ck.c:6:F:C:race:0: Assertion 'x == 2' failed: x == 0\n", "ck.c:6", "ck.c:6:F:C:race:0: Assertion 'x == 2' failed: x == 0");
	expect("ok 1\nBail out! ERROR:../a/gl.c:3:race: assertion failed (x == 2): (0 == 2)\n", "gl.c:3",
		"Bail out! ERROR:../a/gl.c:3:race: assertion failed (x == 2): (0 == 2)");
}

/* A panic of Rust: with the message from the next line, without the number of the kernel thread. The first panic is the cause. */
static void test_panics(void **state)
{
	struct said said;

	expect("---- t::adds stdout ----\n\nthread 't::adds' (4711) panicked at src/lib.rs:46:9:\nassertion `left == right` failed: lost\n  left: 1\n",
		"lib.rs:46", "thread 't::adds' panicked at src/lib.rs:46:9: assertion `left == right` failed: lost (left: 1)");
	expect("thread '<unnamed>' panicked at q.rs:10:9:\nwent back\nthread 'main' panicked at q.rs:21:14:\ncalled `Result::unwrap()`\n", "q.rs:10",
		"thread '<unnamed>' panicked at q.rs:10:9: went back");
	expect("thread 'main' panicked at 'index out of bounds', src/main.rs:4:5\nnote: run with", "main.rs:4",
		"thread 'main' panicked at 'index out of bounds', src/main.rs:4:5");
	expect("thread 'a (b) 7' panicked at q.rs:1:2:", "q.rs:1", "thread 'a (b) 7' panicked at q.rs:1:2:");
	expect("thread 'main' panicked at 'see a.rs:1', src/main.rs:4:5\n", "main.rs:4", "thread 'main' panicked at 'see a.rs:1', src/main.rs:4:5");
	expect("thread 'a.rs:3: x' panicked at src/q.rs:7:2:\nsee b.rs:4\n", "q.rs:7", "thread 'a.rs:3: x' panicked at src/q.rs:7:2: see b.rs:4");
	assert_true(said_find("thread 'main' panicked at q.rs:1:2:\nx\n", &said) && said.panic);
	assert_true(said_find("q.c:1: failed\n", &said) && !said.panic);
}

/* All lines of a panic's message are in one line. */
static void test_long_panics(void **state)
{
	const char *end = "note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\nother output\n";
	char text[1000];

	snprintf(text, sizeof(text), "thread 'main' panicked at q.rs:3:5:\nassertion `left == right` failed\n  left: 1\n right: 2\n%s", end);
	expect(text, "q.rs:3", "thread 'main' panicked at q.rs:3:5: assertion `left == right` failed (left: 1, right: 2)");
	snprintf(text, sizeof(text), "thread 'main' panicked at q.rs:3:5:\nassertion `left != right` failed: slot\n2\n  left: 1\n right: 1\n%s", end);
	expect(text, "q.rs:3", "thread 'main' panicked at q.rs:3:5: assertion `left != right` failed: slot; 2 (left: 1, right: 1)");
	snprintf(text, sizeof(text), "thread 'main' panicked at q.rs:3:5:\none\n\n  two:\nthree\n%s", end);
	expect(text, "q.rs:3", "thread 'main' panicked at q.rs:3:5: one; two: three");

	/* nothing shows the end: other output may follow */
	expect("thread 'main' panicked at q.rs:3:5:\nassertion `left == right` failed\n  left: 1\n right: 2\nbye\n", "q.rs:3",
		"thread 'main' panicked at q.rs:3:5: assertion `left == right` failed (left: 1, right: 2)");
	expect("thread 'main' panicked at q.rs:3:5:\nlost\nbye\n", "q.rs:3", "thread 'main' panicked at q.rs:3:5: lost");

	/* the first panic is the cause of that of the thread that joins */
	expect("thread 'a' panicked at q.rs:3:5:\nlost\ntwice\nthread 'main' panicked at q.rs:9:5:\ncalled `Result::unwrap()` on an `Err` value: Any { .. }\n",
		"q.rs:3", "thread 'a' panicked at q.rs:3:5: lost; twice");

	/* Rust before 1.73 */
	snprintf(text, sizeof(text), "%s%s", "thread 'main' panicked at 'assertion failed: `(left == right)`\n  left: `1`,\n right: `2`: slot 1, q.rs', src/q.rs:23:17\n", end);
	expect(text, "q.rs:23", "thread 'main' panicked at 'assertion failed: `(left == right)`; left: `1`, right: `2`: slot 1, q.rs', src/q.rs:23:17");
	expect("thread 'a' panicked at 'cut\nthread 'main' panicked at 'x', q.rs:9:5\n", "q.rs:9", "thread 'main' panicked at 'x', q.rs:9:5");
}

static void test_paths(void **state)
{
	struct said said;

	assert_true(said_find("ERROR:../a/gl.c:3:race: assertion failed\n", &said));
	assert_string_equal(said.path, "../a/gl.c");
	assert_true(said_find("t: /src/x-1/q.cc:41: f: Assertion `a' failed.\n", &said));
	assert_string_equal(said.path, "/src/x-1/q.cc");
	assert_int_equal(said.number, 41);
}

static void test_failures_before_errors(void **state)
{
	expect("log.c:1: error 5 is expected\nt.c:2: test failed\n", "t.c:2", "t.c:2: test failed");
	expect("a.c:1: fine\nlog.c:1: error 5\n", "log.c:1", "log.c:1: error 5");
	expect("a.c:1: failed\nb.c:2: failed", "a.c:1", "a.c:1: failed");
}

static void test_nothing(void **state)
{
	expect(NULL, NULL, NULL);
	expect("", NULL, NULL);
	expect("queue.c:12: starts\n", NULL, NULL);
	expect("connection to example.com:80 failed\n10.0.0.1:22 failed\nfailed: a.c\nfailed: .c:3\nfailed: a.c:\n", NULL, NULL);
	expect("a.css:3 failed\nlibx.so:3: failed\n", NULL, NULL);
}

static void test_long_lines(void **state)
{
	char text[SAID_LINE + 400], name[SAID_LINE + 200];
	struct said said;

	memset(name, 'a', sizeof(name));
	snprintf(text, sizeof(text), "x.c:1: failed %.*s\n", SAID_LINE, name);
	assert_true(said_find(text, &said));
	assert_int_equal(strlen(said.line), SAID_LINE - 1);
	snprintf(text, sizeof(text), "thread 'main' panicked at x.rs:1:2:\nno\n%.*s\nnote: run with `RUST_BACKTRACE=1`\n", SAID_LINE, name);
	assert_true(said_find(text, &said));
	assert_string_equal(said.place, "x.rs:1");
	assert_int_equal(strlen(said.line), SAID_LINE - 1);
	snprintf(text, sizeof(text), "failed %.150s.c:1 y.c:2\n", name);
	assert_true(said_find(text, &said));
	assert_string_equal(said.place, "y.c:2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frameworks),
		cmocka_unit_test(test_panics),
		cmocka_unit_test(test_long_panics),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_failures_before_errors),
		cmocka_unit_test(test_nothing),
		cmocka_unit_test(test_long_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
