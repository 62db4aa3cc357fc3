/* The schedule of a failed check of a test framework: where it ends, and which steps stand for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_recording.h"
#include "tests/unit/lib_report.h"

#define WHERE "q_test.cc:9"
#define AFTER 9 /* steps of destructors */

/* A step that `inner`, a function without source lines, did when the user's line called it. */
static void called(struct recording *r, unsigned kind, const char *inner, int line)
{
	struct rec_step *s = sample_step(r, 0, kind, 2, 0, "TestBody", "q_test.cc", line);

	s->stack.frame = realloc(s->stack.frame, (s->stack.n + 1) * sizeof(*s->stack.frame));
	memmove(s->stack.frame + 1, s->stack.frame, s->stack.n++ * sizeof(*s->stack.frame));
	memset(s->stack.frame, 0, sizeof(*s->stack.frame));
	s->stack.frame[0].function = strdup(inner);
	s->stack.frame[0].flags = REC_FRAME_USER;
}

static struct recording *begin(void)
{
	struct recording *r = sample_assert();

	r->failure.kind = BUG_EXIT;
	free(r->failure.where);
	r->failure.where = strdup(WHERE);
	return r;
}

/* Adds the destructors, and returns the report. Takes ownership of r. */
static char *finish(struct recording *r)
{
	char *text;

	for (int i = 0; i < AFTER; i++)
		sample_step(r, 0, i % 2 ? EV_MUTEX_UNLOCK : EV_MUTEX_LOCK, 2, 0, "~Fixture", "q_test.cc", 30 + i);
	text = report_to_text(report_show, r, (struct report_options){ .width = 100 });
	recording_free(r);
	return text;
}

static void expect(char *text, const char *shown, const char *left_out)
{
	if (!strstr(text, shown) || strstr(text, left_out))
		fail_msg("\"%s\" is to be shown and \"%s\" is not:\n%s", shown, left_out, text);
	free(text);
}

/* The framework's function that compares the values reads them before the check fails. */
static void a_comparison_belongs_to_the_check(void **state)
{
	struct recording *r = begin();

	called(r, EV_MUTEX_LOCK, "Catch::compareEqual", 9);
	called(r, EV_MUTEX_UNLOCK, "Catch::AssertionHandler::complete", 9);
	expect(finish(r), "Catch::compareEqual", "AssertionHandler");
}

/* Only the framework's steps show that the check failed: the values that it compared are no events. */
static void a_report_of_the_framework_ends_the_schedule(void **state)
{
	struct recording *r = begin();

	sample_step(r, 0, EV_MUTEX_LOCK, 2, 0, "TestBody", "q_test.cc", 8);
	called(r, EV_MUTEX_UNLOCK, "testing::UnitTest::AddTestPartResult", 9);
	expect(finish(r), "TestBody q_test.cc:8", "AddTestPartResult");
}

/* The functions of another framework have no names that reveal a failure, but the last step of the check is one of them. */
static void steps_of_the_framework_end_the_schedule(void **state)
{
	struct recording *r = begin();

	sample_step(r, 0, EV_MUTEX_LOCK, 2, 0, "TestBody", "q_test.cc", 8);
	called(r, EV_MUTEX_UNLOCK, "Catch::AssertionHandler::complete", 9);
	expect(finish(r), "TestBody q_test.cc:8", "AssertionHandler");
}

/* The same line can pass before it fails, and other threads can run after it. */
static void first_failure(const char *inner, const char *left_out)
{
	struct recording *r = begin();

	called(r, EV_MUTEX_LOCK, "Catch::compareEqual", 9);
	sample_step(r, 0, EV_MUTEX_UNLOCK, 2, 0, "TestBody", "q_test.cc", 10);
	called(r, EV_MUTEX_LOCK, inner, 9);
	sample_step(r, 0, EV_MUTEX_UNLOCK, 2, 0, "TestBody", "q_test.cc", 9);
	expect(finish(r), "TestBody q_test.cc:10", left_out);
}

static void the_first_failure_ends_the_schedule(void **state)
{
	first_failure("testing::internal::AssertHelper::operator=", "AssertHelper");
	first_failure("Catch::RunContext::reportExpr", "reportExpr");
}

/* A pthread_once that is done changes nothing. */
static void idle_steps_are_left_out(void **state)
{
	struct recording *r = begin();

	r->failure.kind = BUG_ASSERT;
	for (int i = 0; i < 5; i++)
		sample_step(r, 0, EV_ONCE_ENTER, 2, 0, "locale", "q_test.cc", 20 + i);
	sample_step(r, 0, EV_MUTEX_LOCK, 2, 0, "TestBody", "q_test.cc", 29);
	expect(finish(r), "… 5 steps left out; simul show --all prints them …", "q_test.cc:22");
	r = begin();
	r->failure.kind = BUG_ASSERT;
	for (int i = 0; i < 3; i++)
		sample_step(r, 0, EV_ONCE_ENTER, 2, 0, "locale", "q_test.cc", 21 + i)->result = 1; /* it runs the initialiser */
	expect(finish(r), "q_test.cc:22", "left out");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_comparison_belongs_to_the_check),
		cmocka_unit_test(a_report_of_the_framework_ends_the_schedule),
		cmocka_unit_test(steps_of_the_framework_end_the_schedule),
		cmocka_unit_test(the_first_failure_ends_the_schedule),
		cmocka_unit_test(idle_steps_are_left_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
