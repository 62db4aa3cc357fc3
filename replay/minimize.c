#include "replay/minimize.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "replay/choices.h"
#include "replay/minimize_internal.h"
#include "replay/reorder.h"

/* ---- other orders of the same trace ---- */

static void try_order(struct minimizing *m, const uint32_t *order, uint32_t n)
{
	struct event *e = xcalloc(n, sizeof(*e));
	struct schedule_cost cost;
	struct minimize_outcome o;

	for (uint32_t i = 0; i < n; i++)
		e[i] = m->best[order[i]];
	cost = schedule_cost(e, n); /* approximate: flags in the events, such as EVF_WAITED, are of another order */
	if (schedule_cost_less(&cost, &m->cost, m->order)) {
		struct plan p = plan_of(m->best, order, n);
		minimize_try(m, &p, &o);
		plan_free(&p);
	}
	free(e);
}

static void try_orders(struct minimizing *m)
{
	const struct event *last = m->n ? &m->best[m->n - 1] : NULL;
	uint32_t *order = xcalloc(m->n, sizeof(*order)), n;

	if (last && event_kind_flags(last->kind) & K_END && (n = reorder(m->best, m->n, last->thread, m->order, order)) > 0)
		try_order(m, order, n);
	free(order); /* the best execution may be another one now */
	order = xcalloc(m->n, sizeof(*order));
	if ((n = reorder(m->best, m->n, NO_THREAD, m->order, order)) > 0)
		try_order(m, order, n);
	free(order);
}

/* ---- fewer switches ---- */

/* Returns the plan without `many` turns from turn k on. Their events happen in later turns of the same threads. */
static struct plan without(const struct plan *p, uint32_t k, uint32_t many)
{
	struct plan q = { NULL, 0 };

	for (uint32_t i = 0; i < p->n; i++)
		if (i < k || i - k >= many)
			plan_add(&q, p->turn[i].thread, p->turn[i].alt, p->turn[i].until);
	return q;
}

/* Returns the plan with turn k extended for as long as its thread can run. */
static struct plan to_the_end(const struct plan *p, uint32_t k)
{
	struct plan q = { NULL, 0 };

	for (uint32_t i = 0; i < p->n; i++)
		plan_append(&q, p->turn[i]);
	q.turn[k].until = UINT32_MAX;
	return q;
}

/* Tries a plan and, if it is better, other orders of its trace. Returns whether it is better. */
static bool reduced(struct minimizing *m, struct plan *p)
{
	struct schedule_cost before = m->cost;
	struct minimize_outcome o;

	minimize_try(m, p, &o);
	plan_free(p);
	if (!schedule_cost_less(&m->cost, &before, m->order))
		return false;
	try_orders(m);
	return true;
}

/* Tries to remove or extend single turns. Returns whether this improved the schedule. */
static bool take_out(struct minimizing *m)
{
	struct plan p = plan_of(m->best, NULL, m->n), q;
	bool better = false;

	for (uint32_t k = p.n; k-- > 0 && !better && !m->over && m->runs < m->max_runs;) {
		q = without(&p, k, 1);
		better = k && reduced(m, &q);
		if (!k)
			plan_free(&q);
		if (better || is_agent(p.turn[k].thread) || p.turn[k].alt != ALT_NORMAL)
			continue;
		q = to_the_end(&p, k);
		better = reduced(m, &q);
	}
	plan_free(&p);
	return better;
}

/*
 * Removes many turns at once: half of them, then a quarter, and so on. Removing the turns of a long schedule one by one would use up the
 * time before it is much shorter (delta debugging: Zeller and Hildebrandt, Simplifying and isolating failure-inducing input, TSE 2002).
 */
static void take_out_many(struct minimizing *m)
{
	struct plan p = plan_of(m->best, NULL, m->n), q;
	uint32_t many = p.n / 2, k = p.n;

	while (many > 1 && !m->over && m->runs < m->max_runs) {
		k = k > many ? k - many : 0;
		q = without(&p, k, many);
		if (reduced(m, &q)) {
			plan_free(&p);
			p = plan_of(m->best, NULL, m->n);
			many = many < p.n / 2 ? many : p.n / 2;
			k = p.n;
		} else if (!k) {
			many /= 2;
			k = p.n;
		}
	}
	plan_free(&p);
}

static void take_out_all(struct minimizing *m)
{
	while (take_out(m))
		;
}

/* ---- fewer steps ---- */

/* Returns the plan with the last event of turn k left to a later turn of its thread. The plan is empty if turn k has only one event. */
static struct plan one_event_less(const struct plan *p, uint32_t k)
{
	struct plan q = { NULL, 0 };
	uint32_t before = 0;

	for (uint32_t i = 0; i < k; i++)
		if (p->turn[i].thread == p->turn[k].thread)
			before = p->turn[i].until;
	if (p->turn[k].until < before + 2)
		return q;
	for (uint32_t i = 0; i < p->n; i++)
		plan_append(&q, p->turn[i]);
	q.turn[k].until--;
	return q;
}

/* A thread that is interrupted one event earlier may need fewer steps, because it does not begin a redundant iteration of a loop. Returns
   whether there was such a switch. */
static bool interrupt_earlier(struct minimizing *m)
{
	struct plan p = plan_of(m->best, NULL, m->n);
	bool better = false;

	for (uint32_t k = 0; k + 1 < p.n && !better && !m->over && m->runs < m->max_runs; k++) {
		struct plan q = one_event_less(&p, k);
		better = q.n && reduced(m, &q);
	}
	plan_free(&p);
	return better;
}

/* ---- fewer preemptions ---- */

/*
 * Searches for a failing schedule with fewer preemptions than the best one, simplifies it, and takes it when it costs less. Returns whether
 * no schedule with fewer preemptions than the best one fails. `like`, n: the execution given to minimize().
 */
static bool search_fewer(struct minimizing *m, const struct event *like, uint32_t n)
{
	struct minimizing f = *m;
	bool all;

	f.best = NULL;
	f.order = COST_PREEMPTIONS_FIRST;
	minimize_keep(&f, m->best, m->n, &m->cost);
	all = minimize_search(&f, like, n);
	if (f.cost.preemptions < m->cost.preemptions) {
		try_orders(&f);
		take_out_all(&f);
	}
	m->runs = f.runs;
	m->over = f.over;
	if (schedule_cost_less(&f.cost, &m->cost, m->order)) {
		minimize_keep(m, f.best, f.n, &f.cost);
		m->better = true;
		try_orders(m);
		take_out_all(m);
		while (interrupt_earlier(m))
			;
	}
	free(f.best);
	return all && m->cost.preemptions <= f.cost.preemptions;
}

#define FEW_CHOICES 1 /* schedules with so few choices of other values than 0 are tried first: there are not many */

void minimize(const struct event *event, uint32_t n, minimize_run run, void *ctx, unsigned max_runs,
	struct minimize_result *out)
{
	struct minimizing m = { .run = run, .ctx = ctx, .max_runs = max_runs, .order = COST_SWITCHES_FIRST };
	struct schedule_cost cost = schedule_cost(event, n);

	memset(out, 0, sizeof(*out));
	out->before = cost;
	minimize_keep(&m, event, n, &cost);
	out->least_choices = choices_search(&m, 0, FEW_CHOICES);
	try_orders(&m);
	m.max_runs = max_runs - max_runs / 2;
	take_out_many(&m);
	take_out_all(&m);
	m.max_runs = max_runs;
	while (interrupt_earlier(&m))
		;
	out->least = !m.cost.preemptions || search_fewer(&m, event, n);
	out->least |= !m.cost.preemptions;
	out->least_choices &= choices_search(&m, FEW_CHOICES + 1, UINT_MAX);
	out->after = m.cost;
	out->runs = m.runs;
	if (m.better) {
		out->event = m.best;
		out->n = m.n;
	} else {
		free(m.best);
	}
}
