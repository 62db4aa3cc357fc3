/* Finds where a failing program does nothing more than end: destructors, reports of the test framework, handlers of exit. */
#include <string.h>

#include "recorder/diagnosis.h"
#include "recorder/report_internal.h"

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

/* Returns whether the line of the failed check did the step, or called the user's code that did it. What a framework does in that line comes
   after the failure. */
static bool is_in_check(const struct recording *r, const struct rec_step *s)
{
	bool user = false;
	char where[512];

	for (size_t k = 0; k < s->stack.n; k++) {
		const struct rec_frame *f = &s->stack.frame[k];

		user |= (f->flags & REC_FRAME_USER) && f->file;
		if (!user && is_framework(f->function) && !is_comparison(f->function))
			return false;
		if (!strcmp(rec_frame_where(f, where, sizeof(where)), r->where))
			return true;
	}
	return false;
}

size_t report_teardown(const struct report *p)
{
	const struct recording *r = p->r;
	size_t first = r->n_steps;
	struct diagnosis d;

	if (p->opt.all || r->bug_kind != BUG_EXIT || !r->where)
		return r->n_steps;
	while (first > 0 && !is_in_check(r, &r->steps[first - 1]))
		first--;
	if (!first)
		return r->n_steps;
	diagnose(p, &d);
	for (size_t k = 0; k < DIAGNOSIS_STEPS; k++)
		if (d.step[k] < r->n_steps && d.step[k] >= first)
			first = d.step[k] + 1;
	return first + LEAST < r->n_steps ? first : r->n_steps;
}
