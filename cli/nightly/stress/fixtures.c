#include "cli/nightly/stress/fixtures.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "cli/base/interrupt.h"
#include "cli/nightly/stress/native.h"
#include "cli/nightly/stress/show.h"
#include "cli/nightly/stress/string_list.h"
#include "cli/supervise/watchdog.h"

/* Returns the first entry of a that is also in b; NULL: there is none. */
static const char *common(char *const *a, char *const *b)
{
	for (; a && *a; a++)
		if (strings_have(b, *a))
			return *a;
	return NULL;
}

void fixtures_keep(const struct stress *s, bool *keep)
{
	const struct stress_test *test = s->tests.test;
	bool more = true;

	while (more) {
		more = false;
		for (size_t i = 0; i < s->tests.n; i++)
			for (size_t k = 0; k < s->tests.n && !keep[i]; k++)
				if (keep[k] && (common(test[i].listed.setup, test[k].listed.required) ||
							common(test[i].listed.cleanup, test[k].listed.required)))
					keep[i] = more = true;
	}
}

/* ---- the order ---- */

static void place(const struct stress *s, size_t i, bool *placed, struct stress_test **order, size_t *n)
{
	if (placed[i])
		return;
	placed[i] = true; /* set before the recursion, which stops at a cycle; CTest should refuse cycles */
	for (size_t k = 0; k < s->tests.n; k++)
		if (strings_have(s->tests.test[i].listed.after, s->tests.test[k].name))
			place(s, k, placed, order, n);
	order[(*n)++] = &s->tests.test[i];
}

/* Returns all tests, each after those that must run before it. malloc()ed. */
static struct stress_test **in_order(const struct stress *s)
{
	struct stress_test **order = xcalloc(s->tests.n + 1, sizeof(*order));
	bool *placed = xcalloc(s->tests.n + 1, sizeof(*placed));
	size_t n = 0;

	for (size_t i = 0; i < s->tests.n; i++)
		place(s, i, placed, order, &n);
	free(placed);
	return order;
}

/* ---- dependencies between tests ---- */

/* Returns whether something must run for t in this run. */
static bool active(const struct stress_test *t)
{
	return !t->settled && !stress_is_fixture(t) && (!t->over || t->n_bugs);
}

/* Returns whether a test that must run, or one of its fixtures, needs t to run first. */
static bool needed(const struct stress *s, const struct stress_test *t, unsigned depth)
{
	for (size_t i = 0; i < s->tests.n && depth; i++) {
		const struct stress_test *u = &s->tests.test[i];

		if (u != t && (strings_have(u->listed.after, t->name) || common(t->listed.setup, u->listed.required)) && !u->listed.cleanup &&
			(active(u) || (stress_is_fixture(u) && needed(s, u, depth - 1))))
			return true;
	}
	return false;
}

/* Returns a required fixture of t that is not set up; NULL: all are. */
static const char *lacks(const struct stress *s, const struct stress_test *t)
{
	const char *fixture;

	for (size_t i = 0; i < s->tests.n; i++) {
		const struct stress_test *u = &s->tests.test[i];

		fixture = u->native.passed ? NULL : common(t->listed.required, u->listed.setup);
		if (fixture)
			return fixture;
	}
	return NULL;
}

/* ---- running them ---- */

/* Runs t without simul. A cleanup runs even if the time for all tests is over, and after one interruption. */
static void run_one(struct stress *s, struct stress_test *t, bool cleaning)
{
	const struct stress_test *running = t;
	struct process_plan plan = {.leaves = true, .patience = cleaning ? 1 : 0};
	struct process p = {.pid = 0};
	char why[512];

	show_progress(s, cleaning ? "cleaning up:" : "setting up:", &running, 1);
	native_plan(s, t, &plan);
	if (cleaning)
		plan.limit_ns = native_limit(s, t);
	if (!process_run(&p, &plan, why, sizeof(why)) && !p.started_ns)
		stress_settle(t, STRESS_UNUSABLE, xstrdup(why));
	else
		native_ended(s, t, &p);
	if (p.started_ns)
		t->spent_ns += wall_clock_ns() - p.started_ns;
	process_free(&p);
}

static bool stopped(const struct stress *s)
{
	return interrupt_count() || !stress_left_ns(s);
}

static void set_up(struct stress *s, struct stress_test *t)
{
	const char *missing = lacks(s, t);

	if (missing) {
		stress_settle(t, STRESS_SKIPPED, xasprintf("its fixture %s is missing", missing));
		return;
	}
	run_one(s, t, false);
	if (!t->settled && t->native.passed && t->listed.setup)
		stress_settle(t, STRESS_SKIPPED, xasprintf("it sets up the fixture %s: it is run once, and not searched", t->listed.setup[0]));
}

/* Fixtures may create files, so check this after they ran. */
static void check_needs(struct stress *s, struct stress_test *t)
{
	const char *missing = lacks(s, t);

	if (!active(t) || stopped(s))
		return;
	if (missing) {
		stress_settle(t, STRESS_SKIPPED, xasprintf("its fixture %s is missing: its setup failed or was not run", missing));
		return;
	}
	for (char *const *f = t->listed.needs; f && *f && !t->settled; f++) {
		char *path = (*f)[0] == '/' || !t->listed.cwd ? xstrdup(*f) : xasprintf("%s/%s", t->listed.cwd, *f);

		if (access(path, F_OK))
			stress_settle(t, STRESS_UNUSABLE, xasprintf("a file that it needs (REQUIRED_FILES) is missing: %s: %s", path, strerror(errno)));
		free(path);
	}
}

void fixtures_begin(struct stress *s)
{
	struct stress_test **order = in_order(s);

	for (size_t i = 0; i < s->tests.n && !stopped(s); i++)
		if (!order[i]->settled && !order[i]->listed.cleanup && needed(s, order[i], (unsigned)s->tests.n))
			set_up(s, order[i]);
	for (size_t i = 0; i < s->tests.n; i++) {
		struct stress_test *t = order[i];

		if (t->settled || !stress_is_fixture(t) || stopped(s))
			continue;
		t->clears = t->listed.cleanup != NULL;
		stress_settle(t, STRESS_SKIPPED, t->clears ? xasprintf("it cleans up the fixture %s, and is not searched", t->listed.cleanup[0]) :
			xasprintf("no test of this run needs its fixture %s", t->listed.setup[0]));
	}
	for (size_t i = 0; i < s->tests.n; i++)
		check_needs(s, order[i]);
	free(order);
}

/* Returns whether its fixture was set up or used. */
static bool to_be_cleared(const struct stress *s, const struct stress_test *t)
{
	for (size_t i = 0; i < s->tests.n && t->clears; i++) {
		const struct stress_test *u = &s->tests.test[i];

		if ((u->native.done || u->native.failed) && (common(t->listed.cleanup, u->listed.setup) || common(t->listed.cleanup, u->listed.required)))
			return true;
	}
	return false;
}

void fixtures_end(struct stress *s)
{
	struct stress_test **order = in_order(s);

	for (size_t i = 0; i < s->tests.n && interrupt_count() < 2; i++)
		if (to_be_cleared(s, order[i]))
			run_one(s, order[i], true);
	free(order);
}
