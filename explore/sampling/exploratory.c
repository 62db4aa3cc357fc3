/* Exploratory executions: see exploratory.h. */
#include "explore/sampling/exploratory.h"

#include "sched/await.h"

#define LONGEST 7 /* on average, at most 2^7 steps before another thread is chosen, unless threads run alone */

/* Returns whether running the thread may discover something: it may be in a spin loop, and its behaviour with the value that it finds
   now is unknown. */
static bool would_discover(const struct sampling *p, const struct sched_view *view, const struct choice *c)
{
	const struct trace *t = view->trace;
	struct event e;
	if (c->alt != ALT_NORMAL || is_agent(c->thread) || !await_is_place(t->await, t->pending[c->thread].pc) ||
		(p->running == c->thread && p->streak >= PROBE_STREAK))
		return false;
	view->preview(view->world, *c, &e);
	return !(e.flags & EVF_AWAIT) || !await_foreseen(t->await, event_await(&e), event_found(&e));
}

/* Base-2 logarithm of the steps before another thread is chosen. */
static uint32_t length(const struct sampling *p)
{
	return (uint32_t)(p->draw >> 1) % (LONGEST + 2);
}

bool exploratory_alone(struct core *s)
{
	return s->config.exploratory && length(sample_of(s)) > LONGEST;
}

/* Returns whether the thread of the choice runs on when threads run alone. */
static bool runs_on(const struct sched_view *view, const struct choice *c)
{
	if (is_agent(c->thread))
		return true;
	enum event_kind k = (enum event_kind)view->trace->pending[c->thread].kind;
	return k != EV_SLEEP && k != EV_YIELD;
}

uint32_t exploratory_one(struct core *s, const struct sched_view *view, const uint32_t *c, uint32_t n)
{
	struct sampling *p = sample_of(s);
	bool looks = p->draw & 1 && view->trace->await && view->trace->await->places;
	uint32_t on = n;
	for (uint32_t i = 0; i < n; i++) {
		const struct choice *x = &view->choices[c[i]];
		if (looks && would_discover(p, view, x))
			return c[i];
		if (x->thread == p->far && x->alt == ALT_NORMAL)
			on = i;
	}
	bool alone = exploratory_alone(s);
	if (on < n && (alone ? runs_on(view, &view->choices[c[on]]) : sample_below(s, 1u << length(p)) != 0))
		return c[on];
	on = sample_one(s, c, n);
	p->far = view->choices[on].thread;
	return on;
}
