/* Finds where a failing program does nothing more than end: destructors, reports of the test framework, handlers of exit. */
#include <string.h>

#include "recorder/report/diagnosis.h"
#include "recorder/report/report_internal.h"

#define LEAST 4 /* fewer steps are shown */

/* Returns whether the function belongs to a test framework, makes a panic of Rust, or prepares a stream that prints a value. */
static bool is_framework(const char *function)
{
	static const char *const begins[] = {"testing::", "Catch::", "doctest::", "boost::unit_test::", "core::panicking::", "std::panicking::", "std::locale::"};

	for (size_t i = 0; function && i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(function, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Returns whether the framework's function compares the values of a check, so that it reads them before the failure. */
static bool is_comparison(const char *function)
{
	static const char *const parts[] = {"::CmpHelper", "::EqHelper", "Catch::compare", "Catch::ExprLhs", "doctest::detail::Expression_lhs"};

	for (size_t i = 0; function && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(function, parts[i]))
			return !strstr(function, "Failure");
	return false;
}

/* Returns whether the function runs only when a check failed. */
static bool is_complaint(const char *function)
{
	static const char *const parts[] = {"testing::internal::AssertHelper", "testing::Message::",
		"::AddTestPartResult", "Failure", "::panicking::", "Catch::RunContext::reportExpr"};

	for (size_t i = 0; function && i < sizeof(parts) / sizeof(parts[0]); i++)
		if (strstr(function, parts[i]))
			return true;
	return false;
}

/* How the line of the failed check takes part in a step. */
enum part {
	PART_NONE,
	PART_BEFORE, /* it did the step, or called the user's code that did it, or compared values */
	PART_AFTER,  /* the framework did the step, perhaps after the failure */
	PART_FAILED  /* the framework reports the failure */
};

static enum part part_of_check(const struct recording *r, const struct rec_step *s)
{
	enum part part = PART_BEFORE;
	bool user = false, failed = false;
	char where[512];

	for (size_t k = 0; k < s->stack.n; k++) {
		const struct rec_frame *f = &s->stack.frame[k];

		user |= (f->flags & REC_FRAME_USER) && f->file;
		if (!user && is_framework(f->function) && !is_comparison(f->function))
			part = PART_AFTER;
		failed |= part == PART_AFTER && is_complaint(f->function);
		if (!strcmp(rec_frame_where(f, where, sizeof(where)), r->failure.where))
			return failed ? PART_FAILED : report_is_idle(s) ? PART_AFTER : part;
	}
	return PART_NONE;
}

size_t report_check_failed(const struct recording *r)
{
	size_t i = 0;

	if (r->failure.kind != BUG_EXIT || !r->failure.where)
		return r->n_steps;
	while (i < r->n_steps && part_of_check(r, &r->steps[i]) != PART_FAILED)
		i++;
	return i;
}

/* Returns the first step after the last one that the check took part in, if the framework's functions have no names that reveal a failure. */
static size_t after_check(const struct recording *r)
{
	size_t first = r->n_steps, reported = r->n_steps;

	for (; first > 0; first--) {
		enum part part = part_of_check(r, &r->steps[first - 1]);
		if (part == PART_BEFORE)
			return first;
		if (part == PART_AFTER)
			reported = first - 1;
	}
	return reported;
}

/* Returns the first step after the last one of the user's code; without such a step, their number. */
static size_t after_user(const struct recording *r)
{
	for (size_t i = r->n_steps; i > 0; i--)
		for (size_t k = 0; k < r->steps[i - 1].stack.n; k++)
			if (r->steps[i - 1].stack.frame[k].flags & REC_FRAME_USER)
				return i;
	return r->n_steps;
}

size_t report_teardown(const struct report *p)
{
	const struct recording *r = p->r;
	size_t first = p->end;
	struct diagnosis d;

	if (p->opt.all || r->failure.kind != BUG_EXIT)
		return r->n_steps;
	if (!r->failure.where)
		first = after_user(r);
	else if (first == r->n_steps)
		first = after_check(r);
	diagnose(p, &d);
	for (size_t k = 0; k < DIAGNOSIS_STEPS; k++)
		if (d.step[k] < r->n_steps && d.step[k] >= first)
			first = d.step[k] + 1;
	return first + LEAST < r->n_steps ? first : r->n_steps;
}
