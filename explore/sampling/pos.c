/*
 * Partial order sampling: each pending event has a random priority, and the enabled event with the highest is next. After it, the
 * priorities of the events that race with it are drawn again, so that losing one race does not make them lose the next (Yuan, Yang, Gu:
 * Partial Order Aware Concurrency Sampling, CAV 2018, Algorithm 2).
 *
 * A priority is a hash of the thread, the alternative and how often it was drawn, so none has to be stored. "Race" is dependence, as
 * everywhere in explore/. A blocked pending event gets a new priority, too; that changes nothing, since its old one was never compared.
 */
#include "explore/sampling/giveway.h"
#include "explore/sampling/sample.h"

static bool redraw(struct core *s, thread_id t)
{
	struct runner *r = sample_runner(s, t);
	if (r)
		r->redrawn++;
	return r;
}

/* Redraws the priority of each thread in [from, to) whose pending event is dependent with e. Returns false when memory is used up. */
static bool redraw_racing(struct core *s, const struct trace *trace, const struct event *e, uint32_t from, uint32_t to)
{
	for (uint32_t t = from; t < to; t++) {
		const struct event *p = &trace->pending[t];
		if (p->kind == EV_NONE || t == e->thread || !events_dependent(e, p))
			continue;
		if (!redraw(s, (thread_id)t))
			return false;
	}
	return true;
}

static uint64_t priority(struct core *s, const struct choice *c)
{
	const struct runner *r = sample_runner(s, c->thread);
	uint64_t who = (uint64_t)c->thread << 8 | c->alt;
	return r ? mix64(mix64(sample_of(s)->draw ^ who) + r->redrawn) : 0;
}

static bool pos_begin(void *self)
{
	return sample_begin(self);
}

static int pos_pick(void *self, const struct sched_view *view)
{
	struct core *s = self;
	const struct trace *trace = view->trace;
	const struct event *e;
	uint32_t n;
	while ((e = giveway_event(s, trace)))
		if (!redraw(s, e->thread) || !redraw_racing(s, trace, e, 0, trace->threads) ||
			!redraw_racing(s, trace, e, MAX_THREADS, MAX_THREADS + trace->agents))
			return PICK_STOP;
	const uint32_t *c = giveway_choices(s, view, &n);
	if (!c)
		return PICK_STOP;
	uint32_t best = c[0];
	uint64_t highest = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t p = priority(s, &view->choices[c[i]]);
		if (p > highest) {
			highest = p;
			best = c[i];
		}
	}
	return s->failed ? PICK_STOP : sample_value(s, view, best);
}

static void pos_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	sample_end(self, trace, verdict);
}

const struct strategy_ops pos_ops = {
	.name = "pos",
	.begin = pos_begin,
	.pick = pos_pick,
	.pick_store = sample_pick_store,
	.observe = sample_observe,
	.end = pos_end,
};
