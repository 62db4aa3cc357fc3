/* What `simul show` says about parts of a schedule: late stores, repeated accesses, teardown, a long middle, the width of the table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_recording.h"
#include "tests/unit/lib_report.h"

/* No remark is added for code with known memory orders, or when the stores arrive in order. */
static void test_what_if(void **state)
{
	for (int i = 0; i < 3; i++) {
		struct recording *r = sample_pso(i == 0 ? EVF_PLAIN : i == 1 ? EVF_ATOMIC : 0);
		char *text;
		if (i == 2) {
			struct rec_step load = r->steps[6];
			r->steps[6] = r->steps[4]; /* ready, ... */
			r->steps[4] = load;        /* ... after data was read ... */
			r->steps[5] = (struct rec_step){ .thread = 1, .kind = EV_UPDATE, .obj = { 3 }, .place = 0x404004,
				.stack = r->steps[5].stack }; /* ... and had arrived */
		}
		text = report_to_text(report_show, r, (struct report_options){ .width = 200 });
		assert_int_equal(strstr(text, "T0.1's store to data") != NULL, i < 2);
		assert_null(strstr(text, "out of order (PSO)"));
		free(text);
		recording_free(r);
	}
}

static void expect_shown(struct recording *r, const char *expected)
{
	char *text = report_to_text(report_show, r, (struct report_options){ .width = 300 });

	if (!strstr(text, expected))
		fail_msg("\"%s\" is not in\n%s", expected, text);
	free(text);
	recording_free(r);
}

static void drop_steps(struct recording *r, size_t n)
{
	while (r->n_steps > n)
		rec_stack_free(&r->steps[--r->n_steps].stack);
}

static void test_delayed_stores(void **state)
{
	struct recording *r = sample_tso();

	r->steps[6].obj[0] = 4; /* no thread reads x */
	expect_shown(r, "No access missed a store on its way to memory: this can happen without store buffers as well.");
	r = sample_tso();
	r->steps[6].kind = EV_STORE; /* straight to memory */
	expect_shown(r, "after T0.1 had read y (weak.c:11, step 4); T0.2 wrote it in between, in step 7\n");
	r = sample_tso();
	r->steps[6].flags = EVF_FORWARDED; /* it read its own store */
	expect_shown(r, "No access missed a store");
	r = sample_tso();
	drop_steps(r, 7); /* the end came first */
	expect_shown(r, "T0.1's store to x (weak.c:10, step 3) had not reached memory at the end, though T0.1 had read y");
	r = sample_tso();
	drop_steps(r, 3);
	for (int i = 0; i < 9; i++) {
		if (i)
			sample_store(r, 1, 3, PLACE_ALL, 50 + i);
		sample_step(r, 1, EV_LOAD, 4, 0, NULL, NULL, 0);
	}
	sample_step(r, 2, EV_LOAD, 3, 0, NULL, NULL, 0);
	expect_shown(r, "\n  3 more stores reached memory late\n");
}

/* A spinning thread waits for memory, not for buffered stores. */
static void test_spin_and_buffer(void **state)
{
	struct recording *r = sample_tso();

	r->failure.kind = BUG_LIVELOCK;
	sample_pending(r, 2, EV_LOAD, 3, 0, NO_THREAD, "two", "weak.c", 25);
	expect_shown(r, "spins at weak.c:25 until x changes; T0.1 wrote it last, in step 9\n");
	r = sample_tso();
	r->failure.kind = BUG_LIVELOCK;
	drop_steps(r, 8);
	sample_pending(r, 2, EV_LOAD, 3, 0, NO_THREAD, "two", "weak.c", 25);
	expect_shown(r, "spins at weak.c:25 until x changes; nothing in this schedule wrote it\n");
}

/* Rounds of a loop over memory are folded; other accesses in between end the fold. */
static void test_loops(void **state)
{
	struct recording *r = sample_memory();
	object_id item[2] = { sample_range(r, 3, "a[0]", 0x404100, 4), sample_range(r, 4, "a[1]", 0x404104, 4) };
	char *text;

	for (int i = 0; i < 20; i++) {
		sample_step(r, 1, EV_LOAD, item[i % 2], 0, "sum", "count.c", 40);
		sample_step(r, 1, EV_STORE, item[i % 2], 0, "sum", "count.c", 41);
	}
	sample_step(r, 0, EV_LOAD, item[0], 0, "main", "count.c", 50);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "\n»  7 "));
	assert_non_null(strstr(text, "\n   8 "));
	assert_null(strstr(text, "\n   9 "));
	assert_non_null(strstr(text, "… T0.1: the same accesses 19 times more, up to step 46 …"));
	assert_non_null(strstr(text, " 47 "));
	free(text);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100, .all = true });
	assert_null(strstr(text, "the same accesses"));
	assert_non_null(strstr(text, "\n  46 "));
	free(text);
	recording_free(r);
}

/* What a program does after a failed check, its exit apart, is one line. What a framework does in the line of the check belongs to it. */
static void test_teardown(void **state)
{
	struct recording *r = sample_assert();
	object_id m = 2;
	size_t check;
	char *text;

	r->failure.kind = BUG_EXIT;
	free(r->failure.where);
	r->failure.where = strdup("q_test.cc:9");
	sample_step(r, 0, EV_MUTEX_LOCK, m, 0, "TestBody", "q_test.cc", 9);
	check = r->n_steps;
	sample_step(r, 0, EV_MUTEX_UNLOCK, m, 0, "testing::AssertionFailure", "q_test.cc", 9);
	free(r->steps[check].stack.frame[0].file);
	r->steps[check].stack.frame[0].file = NULL;
	for (int i = 0; i < 9; i++)
		sample_step(r, 0, i % 2 ? EV_MUTEX_UNLOCK : EV_MUTEX_LOCK, m, 0, "~Fixture", "q_test.cc", 30 + i);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "TestBody q_test.cc:9"));
	assert_non_null(strstr(text, "… 9 steps of teardown; simul show --all prints them …"));
	assert_null(strstr(text, "q_test.cc:30"));
	assert_non_null(strstr(text, "q_test.cc:38"));
	free(text);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100, .all = true });
	assert_null(strstr(text, "of teardown"));
	assert_non_null(strstr(text, "q_test.cc:30"));
	free(text);
	r->failure.kind = BUG_ASSERT;
	text = report_to_text(report_show, r, (struct report_options){ .width = 100 });
	assert_null(strstr(text, "of teardown"));
	free(text);
	recording_free(r);
}

/* A long schedule is printed without its middle, unless --all is given. */
static void test_long(void **state)
{
	struct recording *r = sample_assert();
	object_id m = 2;
	char *text;

	r->n_steps--; /* move the last step to the end */
	struct rec_step last = r->steps[r->n_steps];
	for (int i = 0; i < 500; i++)
		sample_step(r, 0, i % 2 ? EV_MUTEX_UNLOCK : EV_MUTEX_LOCK, m, 0, "main", "bank.c", 50);
	sample_step(r, last.thread, EV_DEATH, 0, 0, NULL, NULL, 0)->stack = last.stack;
	text = report_to_text(report_show, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "… 426 steps left out; simul show --all prints them …"));
	assert_null(strstr(text, "\n  200 "));
	assert_non_null(strstr(text, "\n✗ 506 "));
	free(text);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100, .all = true });
	assert_null(strstr(text, "left out"));
	assert_non_null(strstr(text, "\n  200 "));
	free(text);
	recording_free(r);
}

/* The part of the middle that is kept is around a switch, in the summary too. */
static void test_long_with_switch(void **state)
{
	struct recording *r = sample_assert();
	char *text;

	r->n_steps--;
	struct rec_step last = r->steps[r->n_steps];
	for (int i = 0; i < 500; i++)
		sample_step(r, i == 250 ? 1 : 0, i % 2 ? EV_MUTEX_UNLOCK : EV_MUTEX_LOCK, 2, 0, "main", "bank.c", i == 250 ? 77 : 50);
	sample_step(r, last.thread, EV_DEATH, 0, 0, NULL, NULL, 0)->stack = last.stack;
	text = report_to_text(report_bug_summary, r, (struct report_options){ .width = 100 });
	assert_non_null(strstr(text, "left out"));
	assert_non_null(strstr(text, "bank.c:77"));
	free(text);
	recording_free(r);
}

static size_t visible_width(const char *line, size_t n)
{
	size_t width = 0;

	for (size_t i = 0; i < n; i++)
		width += ((unsigned char)line[i] & 0xc0) != 0x80;
	return width;
}

/* The table keeps to the given width, as far as its list of events allows. */
static void test_width(void **state)
{
	for (unsigned width = 60; width < 200; width++) {
		struct recording *r = sample_lost_wakeup();
		char *text = report_to_text(report_show, r, (struct report_options){ .width = width }), *table, *line;
		table = strstr(text, "Schedule\n");
		*strstr(table, "  › switch") = '\0';
		for (line = table; *line; line += strcspn(line, "\n") + 1)
			if (visible_width(line, strcspn(line, "\n")) > width)
				fail_msg("too wide for %u:\n%s", width, table);
		free(text);
		recording_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_if),
		cmocka_unit_test(test_delayed_stores),
		cmocka_unit_test(test_spin_and_buffer),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_teardown),
		cmocka_unit_test(test_long),
		cmocka_unit_test(test_long_with_switch),
		cmocka_unit_test(test_width),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
