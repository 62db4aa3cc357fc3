#include "replay/choices.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "sched/choice.h"

bool choice_is_made(const struct event *e)
{
	return e->kind == EV_CHOOSE && choose_chosen(e->result).count == 1;
}

bool choice_differs(const struct event *e)
{
	return choice_is_made(e) && choose_chosen(e->result).first > 0;
}

/* Returns the first CHOOSE of the choice that event `at` completes. */
static uint32_t first_of(const struct event *event, uint32_t at)
{
	while (at && event[at - 1].kind == EV_CHOOSE && event[at - 1].thread == event[at].thread &&
		choose_chosen(event[at - 1].result).count > 1)
		at--;
	return at;
}

struct plan choice_plan(const struct event *event, uint32_t at, uint32_t value)
{
	uint32_t first = first_of(event, at), done = 0;
	struct plan p = plan_of(event, NULL, first);
	struct chosen left = { choose_chosen(event[at].result).of, 0, choose_chosen(event[at].result).of };

	for (uint32_t i = 0; i < first; i++)
		done += event[i].thread == event[at].thread;
	while (left.count > 1) {
		unsigned part = 0;
		struct chosen taken;
		for (taken = choose_take(left, 0); value - taken.first >= taken.count; taken = choose_take(left, part))
			part++;
		left = taken;
		plan_add(&p, event[at].thread, choose_alt(part), ++done);
	}
	return p;
}

bool choice_followed(const struct event *event, uint32_t at, uint32_t value, const struct minimize_outcome *o)
{
	uint32_t first = first_of(event, at), i = 0;

	for (; i < first; i++)
		if (i >= o->n || o->event[i].thread != event[i].thread || o->event[i].kind != event[i].kind ||
			o->event[i].result != event[i].result)
			return false;
	while (i < o->n && o->event[i].kind == EV_CHOOSE && !choice_is_made(&o->event[i]))
		i++;
	return i < o->n && choice_is_made(&o->event[i]) &&
		choose_chosen(o->event[i].result).of == choose_chosen(event[at].result).of &&
	       choose_chosen(o->event[i].result).first == value;
}

/* ---- the fewest choices of other values than 0 ---- */

static bool one_thread(const struct event *event, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++)
		if (event[i].thread != event[0].thread)
			return false;
	return true;
}

/*
 * Runs the plan, which ends with a choice or is empty, and then all schedules that follow its execution and choose
 * exactly `more` other values than 0 afterwards. Returns false when no more runs are allowed.
 */
static bool deviate(struct minimizing *m, struct plan p, unsigned more)
{
	struct minimize_outcome o;
	uint32_t from = p.n ? p.turn[p.n - 1].until : 0, n;
	bool all = minimize_try(m, &p, &o);
	struct event *event;

	plan_free(&p);
	n = all ? o.n : 0;
	if (!more || !n)
		return all;
	event = xcalloc(n, sizeof(*event)); /* the next run overwrites them */
	memcpy(event, o.event, n * sizeof(*event));
	for (uint32_t i = from; i < n && all; i++)
		for (uint32_t v = 1; all && choice_is_made(&event[i]) && v < choose_chosen(event[i].result).of; v++)
			all = deviate(m, choice_plan(event, i, v), more - 1);
	free(event);
	return all;
}

bool choices_search(struct minimizing *m, unsigned least, unsigned most)
{
	bool all = one_thread(m->best, m->n);

	for (unsigned more = least; all && more <= most && more < m->cost.chosen; more++)
		all = deviate(m, (struct plan){ NULL, 0 }, more);
	return all;
}
