/*
 * Probabilistic concurrency testing: random priorities, strictly obeyed; at d - 1 random steps, the thread that took the step falls below
 * all others (Burckhardt, Kothari, Musuvathi, Nagarakatte: A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs, ASPLOS
 * 2010, Algorithm 1).
 *
 * A bug of depth d that occurs in executions of at most n threads and k steps is found by one execution with probability at least 1 / (n
 * k^(d-1)) when change points are drawn from 1 .. k. k is the length of the longest execution so far; the first execution has no change
 * points. stats.pct_executions counts the executions drawn with the k in stats.pct_events.
 *
 * Everything that can be enabled by itself counts as a thread: a drain agent, and the other alternatives of a thread (timeouts, spurious
 * wake-ups, signals, cancellations), which have external causes: a timer fires or not with its own priority. Priorities are hashes of the
 * thread and alternative, so that created threads get theirs as if all had been ranked in the beginning.
 */
#include "explore/sampling/giveway.h"
#include "explore/sampling/sample.h"

static void draw_change_points(struct core *s)
{
	struct sampling *p = sample_of(s);
	for (uint32_t i = 0; i + 1 < s->config.depth; i++)
		p->change[i] = p->events ? 1 + sample_below(s, p->events) : 0;
}

static bool pct_begin(void *self)
{
	struct core *s = self;
	if (!sample_begin(s))
		return false;
	struct sampling *p = sample_of(s);
	p->runs_in = 0;
	p->events = s->stats.pct_events;
	draw_change_points(s);
	return true;
}

/* Lowers the priority of e's thread if its step is a change point. Returns false when memory is used up. */
static bool change(struct core *s, const struct event *e)
{
	const struct sampling *p = sample_of(s);
	for (uint32_t i = 0; i + 1 < s->config.depth; i++) {
		if (p->change[i] != p->seen)
			continue;
		struct runner *r = sample_runner(s, e->thread);
		if (!r)
			return false;
		bool one = e->kind == EV_CHOOSE || alternative_is_older(e->alt);
		r->lowered[one ? ALT_NORMAL : e->alt] = (uint8_t)(i + 1);
	}
	return true;
}

static uint64_t priority(struct core *s, const struct runner *r, const struct choice *c)
{
	if (r->lowered[c->alt])
		return r->lowered[c->alt];
	uint64_t who = (uint64_t)c->thread << 8 | c->alt;
	return UINT64_C(1) << 63 | mix64(sample_of(s)->draw ^ who) >> 1;
}

/* Counts the different threads and alternatives that were enabled in this execution. Returns false when memory is used up. */
static bool count_enabled(struct core *s, const struct sched_view *view)
{
	for (unsigned i = 0; i < view->n; i++) {
		struct runner *r = sample_runner(s, view->choices[i].thread);
		if (!r)
			return false;
		if (sample_is_other_value(view, i))
			continue;
		uint16_t bit = (uint16_t)(1u << view->choices[i].alt);
		sample_of(s)->runs_in += !(r->seen & bit);
		r->seen |= bit;
	}
	return true;
}

static int pct_pick(void *self, const struct sched_view *view)
{
	struct core *s = self;
	const struct event *e;
	uint32_t n;
	while ((e = giveway_event(s, view->trace)))
		if (!change(s, e))
			return PICK_STOP;
	const uint32_t *c = count_enabled(s, view) ? giveway_choices(s, view, &n) : NULL;
	if (!c)
		return PICK_STOP;
	uint32_t best = c[0];
	uint64_t highest = 0;
	for (uint32_t i = 0; i < n; i++) {
		const struct choice *x = &view->choices[c[i]];
		uint64_t p = priority(s, sample_runner(s, x->thread), x);
		if (p > highest) {
			highest = p;
			best = c[i];
		}
	}
	return sample_value(s, view, best);
}

/* Updates the length of executions. A cut execution counts only as long as none has ended properly. */
static void measure(struct core *s, const struct trace *trace, enum run_verdict verdict)
{
	struct sampling *p = sample_of(s);
	struct explore_stats *st = &s->stats;
	bool whole = verdict_is_whole(verdict);
	if (whole && !p->whole) {
		p->whole = 1;
		st->pct_events = 0;
	}
	if (whole != p->whole)
		return;
	if (trace->n > st->pct_events)
		st->pct_events = trace->n;
	if (p->runs_in > st->pct_threads)
		st->pct_threads = p->runs_in;
}

static void pct_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct core *s = self;
	struct explore_stats *st = &s->stats;
	struct sampling *p = sample_of(s);
	measure(s, trace, verdict);
	if (p->outdated || (s->config.depth > 1 && p->events != st->pct_events))
		st->pct_executions = 0;
	else if (verdict != RUN_COVERED)
		st->pct_executions++;
	p->outdated = 0;
	sample_end(self, trace, verdict);
}

const struct strategy_ops pct_ops = {
	.name = "pct",
	.begin = pct_begin,
	.pick = pct_pick,
	.pick_store = sample_pick_store,
	.observe = sample_observe,
	.end = pct_end,
};
