/* See relax.h. */
#include "enforce/relax.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- whether it may be used ---- */

static bool same_text(const char *a, const char *b)
{
	return a && b && !strcmp(a, b);
}

static bool same_program(const struct certificate *a, const struct certificate *b)
{
	size_t i;

	for (i = 0; a->argv[i] && b->argv[i]; i++)
		if (i && strcmp(a->argv[i], b->argv[i]))
			return false;
	return !a->argv[i] && !b->argv[i] && same_text(a->build_id, b->build_id) && same_text(a->input, b->input) &&
	       a->settings.model == b->settings.model && a->processors == b->processors &&
	       a->freed_waits == b->freed_waits && a->inline_calls == b->inline_calls;
}

/* Returns whether both searches had the same executions to explore, and counted the same ones as failed. */
static bool same_options(const struct certificate *a, const struct certificate *b)
{
	const struct settings *x = &a->settings, *y = &b->settings;

	for (const struct setting *of = settings_table; of < settings_table + SETTINGS; of++)
		if (of->certificate == CERTIFICATE_SAME && setting_get(x, of) != setting_get(y, of))
			return false;
	return a->fail_on_race == b->fail_on_race && a->robustness == b->robustness;
}

static bool same_range(const struct certificate *a, const struct cert_range *x, const struct certificate *b, const struct cert_range *y)
{
	if (x->offset != y->offset || x->size != y->size)
		return false;
	if (x->module >= a->n_modules || y->module >= b->n_modules)
		return x->module == y->module;
	return same_text(a->modules[x->module].path, b->modules[y->module].path) && same_text(a->modules[x->module].build_id, b->modules[y->module].build_id);
}

static bool same_event(const struct certificate *a, const struct certificate *b, uint32_t i)
{
	const struct cert_event *x = &a->events[i], *y = &b->events[i];

	if (x->thread != y->thread || x->kind != y->kind || x->alt != y->alt || x->failed != y->failed || x->value_size != y->value_size || x->value != y->value ||
		x->n != y->n)
		return false;
	if (x->n && memcmp(a->after + x->first, b->after + y->first, x->n * sizeof(*a->after)))
		return false;
	for (int k = 0; k < 2; k++) {
		const struct cert_object *o = x->object[k] ? &a->objects[x->object[k] - 1] : NULL;
		const struct cert_object *p = y->object[k] ? &b->objects[y->object[k] - 1] : NULL;

		if (!o != !p || (o && (o->kind != p->kind || o->thread != p->thread || !same_range(a, &o->at, b, &p->at))))
			return false;
	}
	return true;
}

static bool same_execution(const struct certificate *a, const struct certificate *b)
{
	if (a->n_threads != b->n_threads || a->n_events != b->n_events)
		return false;
	for (size_t t = 0; t < a->n_threads; t++)
		if (a->threads[t].parent != b->threads[t].parent || a->threads[t].child != b->threads[t].child || a->threads[t].stack != b->threads[t].stack ||
			a->threads[t].at != b->threads[t].at || a->threads[t].bytes != b->threads[t].bytes || a->threads[t].guard != b->threads[t].guard)
			return false;
	for (uint32_t i = 0; i < a->n_events; i++)
		if (!same_event(a, b, i))
			return false;
	return true;
}

/* Returns whether the first list contains each range of the second. */
static bool covers(const struct certificate *a, const struct cert_range *x, size_t n, const struct certificate *b, const struct cert_range *y, size_t m)
{
	for (size_t k = 0; k < m; k++) {
		bool found = false;

		for (size_t i = 0; i < n && !found; i++)
			found = same_range(a, &x[i], b, &y[k]);
		if (!found)
			return false;
	}
	return true;
}

bool relax_allowed(const struct certificate *now, const struct certificate *newer, const char **why)
{
	if (!same_program(now, newer))
		*why = "it is of another program, input or memory model";
	else if (!same_options(now, newer))
		*why = "its search had other options";
	else if (!covers(now, now->sites, now->n_sites, newer, newer->sites, newer->n_sites) ||
		!covers(now, now->shared, now->n_shared, newer, newer->shared, newer->n_shared)) /* then the same execution has more events, too */
		*why = "its search has found more shared memory, or code that accesses it, than the running program watches";
	else if (!same_execution(now, newer))
		*why = "it orders another execution";
	else if (newer->but && !now->but)
		*why = "its search did not see everything";
	else
		return true;
	return false;
}

/* ---- the running program ---- */

void relax_wake(struct plan *plan)
{
	struct plan_progress *p = (struct plan_progress *)((char *)plan + plan->progress);

	for (uint32_t t = 0; t < plan->n_threads; t++)
		if (__atomic_load_n(&p[t].sleepers, __ATOMIC_SEQ_CST))
			syscall(SYS_futex, &p[t].done, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
	if (__atomic_load_n(&plan->choice_sleepers, __ATOMIC_SEQ_CST))
		syscall(SYS_futex, &plan->choice, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void relax_plan(struct plan *plan, uint32_t certified)
{
	if (certified >= __atomic_load_n(&plan->certified, __ATOMIC_ACQUIRE))
		return;
	__atomic_store_n(&plan->certified, certified, __ATOMIC_SEQ_CST);
	relax_wake(plan);
}
