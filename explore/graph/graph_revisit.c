/*
 * Revisits of the walk over execution graphs: a new store makes an earlier load give way (graph.h, graph.md).
 *
 * Let w be the newest event, a store, and r an earlier event that reads the same place and that w does not depend on. The revisit keeps the
 * events before r, and the later ones that w depends on. It deletes the others, adds w, and adds r again, which now reads w. It is allowed if r
 * and the deleted events took the choice that a new event takes by itself: the latest store of all that were there or are kept.
 */
#include "explore/graph/graph.h"

#include <string.h>

#include "base/check.h"

/* Returns whether w depends on event i. */
static bool in_past(const struct rc11 *m, uint32_t w, uint32_t i)
{
	return rc11_covers(m, rc11_clock(m, w, RC11_PAST), i);
}

/* Returns whether a store after `store` in modification order, other than those of events d and w, was there before d or is kept for w. */
static bool outdated(const struct rc11 *m, uint32_t d, uint32_t w, uint32_t place, uint32_t store)
{
	for (uint32_t s = rc11_newer(m, place, store); s; s = rc11_event(m, s - 1)->newer)
		if (s - 1 != d && s - 1 != w && (s - 1 < d || in_past(m, w, s - 1)))
			return true;
	return false;
}

/* Returns whether event d may be deleted by a revisit of w: it will come again by itself in exactly one of the graphs that contain what is kept. */
static bool maximal(struct graph *g, uint32_t d, uint32_t w)
{
	const struct rc11 *m = graph_model(g);
	const struct rc11_event *e = rc11_event(m, d);
	const struct graph_step *step = graph_step_at(g, d);
	if (e->op.kind == RC11_CALL && e->op.expected == GRAPH_SECOND)
		return false;
	if (step->flagged || (step->fixed && !in_past(m, w, e->reads_from - 1)))
		return false;
	if (e->reads)
		return !outdated(m, d, w, e->op.place, e->reads_from);
	return !e->writes || !outdated(m, d, w, e->op.place, d + 1);
}

/* Lists in the plan the events after r that are kept, with w last, and where they go in the new graph. Returns how many. */
static uint32_t plan(struct graph *g, uint32_t r, uint32_t w)
{
	const struct rc11 *m = graph_model(g);
	uint32_t n = 0;
	for (uint32_t i = r + 1; i <= w; i++) {
		if (i != w && !in_past(m, w, i))
			continue;
		const struct rc11_event *e = rc11_event(m, i);
		uint32_t store = RC11_INITIAL;
		if (e->reads)
			store = e->reads_from;
		else if (e->writes) /* after the next older one of those that are there when it is added again */
			for (store = e->older; store && store - 1 >= r && (store - 1 > i || store - 1 == r || !in_past(m, w, store - 1));)
				store = rc11_event(m, store - 1)->older;
		for (uint32_t k = 0; store && store - 1 > r && k < n; k++)
			if (graph_plan_at(g, k)->was == store - 1) {
				store = r + k + 1;
				break;
			}
		if (graph_step_at(g, i)->knows)
			*graph_plan_known_at(g, n) = *graph_known_at(g, i);
		*graph_plan_at(g, n++) = (struct graph_event){.op = e->op, .store = store, .was = i, .step = *graph_step_at(g, i)};
	}
	return n;
}

/* Saves the events from `base` on, and removes them. Returns false when there is no room. */
static bool save(struct graph *g, uint32_t base)
{
	struct rc11 *m = graph_model(g);
	if (m->n - base > g->config.saved - g->saved_n || g->revisits == g->config.limits.events) {
		g->failed = g->stats.out_of_memory = 1;
		return false;
	}
	for (uint32_t i = base; i < m->n; i++) {
		if (graph_step_at(g, i)->knows)
			*graph_saved_known_at(g, g->saved_n) = *graph_known_at(g, i);
		*graph_saved_at(g, g->saved_n++) = graph_event_at(g, i);
	}
	while (m->n > base)
		rc11_pop(m);
	return true;
}

/* Removes the events from `base` on, and puts back those that were saved last, from `saved` on. */
static void restore(struct graph *g, uint32_t base, uint32_t saved)
{
	struct rc11 *m = graph_model(g);
	while (m->n > base)
		rc11_pop(m);
	for (uint32_t k = saved; k < g->saved_n; k++)
		graph_put(g, graph_saved_at(g, k), graph_saved_known_at(g, k));
	g->saved_n = saved;
}

static void add_again(struct graph *g, const struct graph_event *e, uint32_t store)
{
	struct rc11 *m = graph_model(g);
	rc11_push(m, &e->op, store);
	*graph_step_at(g, m->n - 1) = (struct graph_step){
		.flagged = e->step.flagged, .fixed = e->step.fixed, .knows = e->step.knows, .took = e->step.took};
}

/* Adds w, the last of the plan, after `store`, and event r, which reads it. If that is not consistent, both are
   removed. If w is a LOCK or CALL, r need not be able to read it, and comes again when it can be performed. */
static enum rc11_verdict add_pair(struct graph *g, const struct graph_event *w, const struct graph_event *r, uint32_t store)
{
	struct rc11 *m = graph_model(g);
	add_again(g, w, store);
	enum rc11_verdict v = rc11_verdict(m);
	if (v == RC11_CONSISTENT) {
		graph_step_at(g, m->n - 1)->flagged = 1;
		if (rc11_chained(&w->op))
			return v;
		add_again(g, r, m->n);
		*graph_step_at(g, m->n - 1) = (struct graph_step){.fixed = 1};
		enum rc11_verdict of_r = rc11_verdict(m);
		if (of_r == RC11_CONSISTENT)
			return of_r;
		rc11_pop(m);
		v = of_r; /* if a store newer than w makes r incoherent, it does so for each older place of w */
	}
	rc11_pop(m);
	return v;
}

/* Tries the places of w from the latest on, or those older than *tried. Sets *placed. Returns whether the new graph is there. */
static bool try_places(struct graph *g, const struct graph_event *w, const struct graph_event *r, const uint32_t *tried, uint32_t *placed)
{
	struct rc11 *m = graph_model(g);
	if (rc11_reading(&w->op)) {
		*placed = w->store;
		return !tried && add_pair(g, w, r, w->store) == RC11_CONSISTENT;
	}
	uint32_t store = rc11_latest(m, w->op.place);
	if (tried) {
		if (*tried == RC11_INITIAL)
			return false;
		store = rc11_event(m, *tried - 1)->older;
	}
	for (;; store = rc11_event(m, store - 1)->older) {
		enum rc11_verdict v = add_pair(g, w, r, store);
		*placed = store;
		if (v == RC11_CONSISTENT)
			return true;
		if (v == RC11_INCOHERENT || store == RC11_INITIAL)
			return false;
	}
}

/* Makes event r give way to the newest event. Returns false when that is not consistent (any more); then the graph is as before. */
static bool give_way(struct graph *g, uint32_t r)
{
	struct rc11 *m = graph_model(g);
	uint32_t w = m->n - 1, n = plan(g, r, w), saved = g->saved_n, placed;
	struct graph_step step = *graph_step_at(g, w);
	if (!save(g, r))
		return false;
	struct graph_event *first = graph_saved_at(g, saved), *last = graph_saved_at(g, g->saved_n - 1);
	for (uint32_t k = 0; k + 1 < n; k++) {
		add_again(g, graph_plan_at(g, k), graph_plan_at(g, k)->store);
		if (graph_plan_at(g, k)->step.knows)
			graph_learn(g, graph_plan_known_at(g, k));
	}
	bool again = step.gave_way == r + 1;
	if (!try_places(g, graph_plan_at(g, n - 1), first, again ? &step.placed : NULL, &placed)) {
		restore(g, r, saved);
		return false;
	}
	last->step.gave_way = r + 1;
	last->step.placed = placed;
	uint32_t floor = m->n - !rc11_chained(&last->op); /* a LOCK has had its revisits */
	*graph_revisit_at(g, g->revisits++) = (struct graph_revisit){.base = r, .floor = floor, .saved = saved};
	g->stats.revisits++;
	return true;
}

/* Returns whether event d could read event w instead. In a chain, only the one that reads the same event gives way. */
static bool may_read(const struct rc11 *m, uint32_t d, uint32_t w)
{
	const struct rc11_event *a = rc11_event(m, d), *b = rc11_event(m, w);
	return a->reads && a->op.place == b->op.place && (!rc11_chained(&b->op) || a->reads_from == b->reads_from);
}

bool graph_next_revisit(struct graph *g)
{
	const struct rc11 *m = graph_model(g);
	uint32_t w = m->n - 1, from = graph_step_at(g, w)->gave_way;
	/* From the newest event on: the first one that may not be deleted keeps all older ones. */
	for (uint32_t d = w; d-- > 0;) {
		if (in_past(m, w, d))
			continue;
		if (!maximal(g, d, w))
			break;
		bool earlier = from && d + 1 > from;
		if (!earlier && may_read(m, d, w) && give_way(g, d))
			return true;
		if (g->failed)
			return false;
	}
	return false;
}

void graph_undo_revisit(struct graph *g)
{
	INVARIANT(g->revisits, "no revisit to undo");
	const struct graph_revisit *r = graph_revisit_at(g, --g->revisits);
	restore(g, r->base, r->saved);
}
