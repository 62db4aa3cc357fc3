/*
 * Selectively uniform random walk: every order of the events that count is equally likely (Zhao, Wolff, Mathur, Roychoudhury: Selectively
 * Uniform Concurrency Testing, ASPLOS 2025).
 *
 * One thread is *intended* to do the next event that counts. It is drawn with a probability proportional to the number of such events that
 * it has left, including those of the threads that it has yet to create and the updates of stores that it has yet to make. Other threads
 * stop before theirs. In between, everything else is a random walk. The result is uniform when the numbers are exact and no such event
 * blocks: an order of n_1, n_2, ... events is drawn with probability n_1! n_2! ... / (n_1 + n_2 + ...)!. The numbers, and what counts, come
 * from the execution before (surw_profile.h); the first execution is a plain random walk.
 */
#include "explore/sampling/giveway.h"
#include "explore/sampling/lock_order.h"
#include "explore/sampling/sample.h"
#include "explore/sampling/surw_profile.h"

#include <string.h>

static bool surw_begin(void *self)
{
	struct core *s = self;
	if (!sample_begin(s))
		return false;
	struct sampling *p = sample_of(s);
	s->names.n = 0;
	lock_order_begin(s);
	p->intended = NO_THREAD;
	if (!vec_reserve(s, &p->left, p->weight.n, sizeof(uint32_t)))
		return false;
	p->left.n = p->weight.n;
	if (p->left.n)
		memcpy(vec_data(s, &p->left), vec_data(s, &p->weight), p->left.n * sizeof(uint32_t));
	return true;
}

static uint32_t left_of(struct core *s, uint32_t t)
{
	const struct vec *v = &sample_of(s)->left;
	return t < v->n ? ((uint32_t *)vec_data(s, v))[t] : 0;
}

static void take_weight(struct core *s, thread_id t, uint32_t n)
{
	const struct vec *v = &sample_of(s)->left;
	if (t >= v->n)
		return;
	uint32_t *left = (uint32_t *)vec_data(s, v) + t;
	*left = *left > n ? *left - n : 0;
}

/* Moves `its` of the remaining events of e's thread to thread `other`, with their share of the intention. */
static void hand_over(struct core *s, const struct event *e, uint32_t other, uint32_t its)
{
	struct sampling *p = sample_of(s);
	uint32_t all = left_of(s, e->thread);
	if (p->intended == e->thread && all && sample_below(s, all) < its)
		p->intended = (thread_id)other;
	take_weight(s, e->thread, its);
}

static void process_event(struct core *s, const struct event *e)
{
	if (e->kind == EV_THREAD_CREATE) {
		hand_over(s, e, event_child(e), left_of(s, event_child(e)));
	} else if (event_buffered(e) && profile_touches(s, e)) {
		struct runner *r = sample_runner(s, event_agent(e));
		hand_over(s, e, event_agent(e), 1);
		if (r)
			r->updates++;
	} else if (profile_counts(s, e)) {
		struct runner *r = sample_runner(s, e->thread);
		if (is_agent(e->thread) && r && r->updates)
			r->updates--;
		take_weight(s, e->thread, 1);
		sample_of(s)->intended = NO_THREAD;
	}
}

static bool stops(struct core *s, const struct sched_view *view, uint32_t i)
{
	thread_id t = view->choices[i].thread;
	return t != sample_of(s)->intended && profile_counts(s, &view->trace->pending[t]);
}

/* The weight of choice i in the draw. It is at least 1, since the profile may be too low. If the intended thread has nothing left that
   counts, it only gives the other threads time until all have to stop; then it is drawn again. */
static uint32_t weight(struct core *s, const struct sched_view *view, uint32_t i)
{
	thread_id t = view->choices[i].thread;
	if (i && view->choices[i - 1].thread == t) /* another alternative */
		return 0;
	const struct runner *r = is_agent(t) ? sample_runner(s, t) : NULL;
	uint32_t w = r ? r->updates : left_of(s, t);
	return w ? w : 1;
}

static void intend(struct core *s, const struct sched_view *view, const uint32_t *c, uint32_t n)
{
	uint64_t all = 0;
	for (uint32_t i = 0; i < n; i++)
		all += weight(s, view, c[i]);
	uint64_t at = sample_below(s, all > UINT32_MAX ? UINT32_MAX : (uint32_t)all);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t w = weight(s, view, c[i]);
		if (at < w) {
			sample_of(s)->intended = view->choices[c[i]].thread;
			return;
		}
		at -= w;
	}
}

/* Returns one of the choices that need not stop; -1: all have to. */
static int walk(struct core *s, const struct sched_view *view, const uint32_t *c, uint32_t n)
{
	int found = -1;
	uint32_t free = 0;
	for (uint32_t i = 0; i < n; i++)
		if (!stops(s, view, c[i]) && sample_below(s, ++free) == 0)
			found = (int)c[i];
	return found;
}

static int surw_pick(void *self, const struct sched_view *view)
{
	struct core *s = self;
	const struct event *e;
	uint32_t n;
	if (!profile_names(s, view))
		return PICK_STOP;
	while ((e = giveway_event(s, view->trace))) {
		process_event(s, e);
		lock_order_follow(s, e);
	}
	const uint32_t *c = giveway_choices(s, view, &n);
	if (!c)
		return PICK_STOP;
	if (sample_of(s)->intended == NO_THREAD)
		intend(s, view, c, n);
	int i = walk(s, view, c, n);
	if (i < 0) { /* the intended thread cannot continue */
		intend(s, view, c, n);
		i = walk(s, view, c, n);
	}
	return sample_value(s, view, i < 0 ? c[0] : (uint32_t)i);
}

static void surw_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct core *s = self;
	if (verdict_is_whole(verdict) || !sample_of(s)->profiled)
		profile_take(s, trace);
	lock_order_learn(s, trace);
	sample_end(self, trace, verdict);
}

const struct strategy_ops surw_ops = {
	.name = "surw",
	.begin = surw_begin,
	.pick = surw_pick,
	.pick_store = sample_pick_store,
	.observe = sample_observe,
	.end = surw_end,
};
