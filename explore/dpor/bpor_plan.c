/*
 * How a race is reversed under a bound: see bpor.md.
 *
 * Event e of thread p conflicts with event d of thread t, or waits for it. For e to come first, another thread must run before d: at the
 * node of d, and, because a switch there may cost a preemption, at every node where a run of t begins that leads to d by itself.
 */
#include "explore/dpor/bpor.h"

#include "explore/trace/vclock.h"

void bpor_note(struct search *s, uint32_t d)
{
	uint32_t *x = vec_push(&s->core, &s->bpor.noted, sizeof *x);
	if (x)
		*x = d;
}

/* Returns the first thread that has to run after node i so that e can come without what depends on the event of node i. It can run at
   node i. NO_THREAD: none. */
static thread_id first_needed(struct search *s, uint32_t i, const uint32_t *c, uint32_t w)
{
	thread_id t = node_at(s, i)->ev.thread;
	for (uint32_t k = i + 1; k < s->trace.analysed; k++)
		if (node_at(s, k)->ev.thread != t && clock_covers(s, c, w, k) && !happens_before(s, i, k))
			return node_at(s, k)->ev.thread;
	return NO_THREAD;
}

/* Plans that e comes before what thread t does from node i on. */
static void plan_before(struct search *s, uint32_t i, const struct event *e, const uint32_t *c, uint32_t w)
{
	thread_id p = e->thread;
	if (!bpor_enabled(s, i, p))
		p = first_needed(s, i, c, w);
	if (p == NO_THREAD)
		return; /* e was pending in that state, and cannot be performed there */
	if (!bpor_enabled(s, i, p) || !bpor_plan_thread(s, i, p))
		bpor_plan_all(s, i); /* p sleeps: other threads may have to wake it */
}

/* Iterates over the nodes before d at which a run of its thread begins that leads to d without other threads. *i: the latest such node,
   d at first. */
static bool run_begins(struct search *s, uint32_t d, uint32_t *i)
{
	thread_id t = node_at(s, d)->ev.thread;
	while (*i > 0) {
		uint32_t k = --*i;
		if (node_at(s, k)->ev.thread != t) {
			if (happens_before(s, k, d))
				return false;
		} else if (k == 0 || node_at(s, k - 1)->ev.thread != t) {
			return true;
		}
	}
	return false;
}

void bpor_plan(struct search *s, const struct event *e, const uint32_t *c, uint32_t w)
{
	struct vec *noted = &s->bpor.noted;
	for (uint32_t m = 0; m < noted->n; m++) {
		uint32_t d = ((uint32_t *)vec_data(&s->core, noted))[m], i = d;
		do
			plan_before(s, i, e, c, w);
		while (run_begins(s, d, &i));
	}
	noted->n = 0;
}

void bpor_plan_open(struct search *s, uint32_t i)
{
	uint32_t k = i;
	do
		bpor_plan_all(s, k);
	while (run_begins(s, i, &k));
}
