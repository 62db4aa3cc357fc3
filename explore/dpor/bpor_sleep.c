/*
 * Sleep sets under a bound: see bpor.md.
 *
 * Thread t sleeps at state E after its branch there was explored: an execution that runs t later, in the way it would have run at E, was
 * explored there with no more preemptions. That needs more than independence of t's next event, because its whole run from E on, up to
 * where it is blocked, moves to the front. So t wakes when an event is performed that is dependent with any event of that run, or with what
 * it waits for at the end, or when a thread is left blocked that the run might unblock.
 */
#include "explore/dpor/bpor.h"

#include "explore/tree/sleepset.h"
#include "explore/trace/vclock.h"

static bool at_barrier(const struct event *e)
{
	return e->mode[0] == M_ARRIVE || e->mode[0] == M_LAST || e->mode[0] == M_PASS;
}

/* Returns whether the events conflict. All arrivals at a barrier count as conflicting. */
static bool conflict(const struct event *a, const struct event *b)
{
	return events_dependent(a, b) || (at_barrier(a) && at_barrier(b) && a->obj[0] == b->obj[0]);
}

bool bpor_asleep(struct search *s, uint32_t i, thread_id t)
{
	const struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < place_at(s, i)->inherited; k++)
		if (x[k].ev.thread == t)
			return true;
	return false;
}

/* ---- waking ---- */

/* Returns whether some sleeping event of thread t at node i conflicts with e. */
static bool wakes(struct search *s, uint32_t i, thread_id t, const struct event *e)
{
	const struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < node_at(s, i)->sleep_n; k++)
		if (x[k].ev.thread == t && conflict(&x[k].ev, e))
			return true;
	return false;
}

/* Returns whether the next operation of q's thread is still q, with no other alternative. */
static bool unchanged(const struct sched_view *view, const struct event *q)
{
	bool found = false;
	for (unsigned k = 0; k < view->n; k++) {
		if (view->choices[k].thread != q->thread)
			continue;
		if (view->choices[k].alt != q->alt)
			return false;
		found = true;
	}
	return found && view->trace->pending[q->thread].kind == q->kind;
}

/* Returns whether the thread of sleeper q stays asleep over event i - 1. */
static bool sleeps_on(struct search *s, uint32_t i, const struct sched_view *view, const struct sleeper *q)
{
	const struct node *n = node_at(s, i - 1);
	thread_id t = q->ev.thread;
	const struct event *left = &view->trace->pending[n->ev.thread];
	if (n->ev.thread == t || n->deadly || wakes(s, i - 1, t, &n->ev))
		return false;
	return left->kind == EV_NONE || bpor_enabled(s, i, n->ev.thread) || !wakes(s, i - 1, t, left);
}

/* Returns whether the sleeper's branch, explored at node i, preempted the running thread while the event performed there did not.
   Another alternative of the running thread (another value, say) is no preemption, so its continuation was not explored at the same
   cost. */
static bool cost_more(struct search *s, uint32_t i, uint32_t k)
{
	return k >= place_at(s, i)->inherited && i && node_at(s, i - 1)->ev.thread == node_at(s, i)->ev.thread;
}

bool bpor_inherit(struct search *s, uint32_t i, const struct sched_view *view)
{
	struct node *n = node_at(s, i);
	n->sleep_at = s->tree.sleeps.n;
	n->sleep_n = 0;
	if (i == 0)
		return true;
	uint32_t have = node_at(s, i - 1)->sleep_n;
	if (!vec_reserve(&s->core, &s->tree.sleeps, s->tree.sleeps.n + have, sizeof(struct sleeper)))
		return false;
	const struct sleeper *from = sleepers(s, i - 1);
	struct sleeper *to = sleepers(s, i);
	bool on = false;
	for (uint32_t k = 0; k < have; k++) {
		if (!from[k].overslept) /* the first event of a run; the others follow it */
			on = !cost_more(s, i - 1, k) && unchanged(view, &from[k].ev) && sleeps_on(s, i, view, &from[k]);
		if (on)
			to[n->sleep_n++] = from[k];
	}
	s->tree.sleeps.n += n->sleep_n;
	place_at(s, i)->inherited = n->sleep_n;
	return true;
}

/* ---- falling asleep ---- */

bool bpor_fall_asleep(struct search *s, uint32_t i)
{
	const struct place *p = place_at(s, i);
	struct node *n = node_at(s, i);
	if (p->restless || n->deadly)
		return true;
	for (uint32_t k = 0; k < p->run_n; k++) {
		struct sleeper *x = vec_push(&s->core, &s->tree.sleeps, sizeof *x);
		if (!x)
			return false;
		x->ev = ((struct event *)vec_data(&s->core, &s->bpor.runs))[p->run_at + k];
		x->ev.thread = n->ev.thread;
		x->overslept = k > 0;
		n->sleep_n++;
	}
	return true;
}

/* ---- runs ---- */

/* Returns whether event e means the same in every execution that passes node i. */
static bool known_at(struct search *s, uint32_t i, const struct event *e)
{
	for (unsigned k = 0; k < 2; k++)
		if (!object_is_memory(e->obj[k]) && e->obj[k] > node_at(s, i)->max_obj)
			return false;
	return e->kind != EV_THREAD_CREATE && !(event_kind_flags(e->kind) & K_END);
}

static bool add_to_run(struct search *s, uint32_t i, const struct event *e)
{
	if (!known_at(s, i, e)) {
		s->bpor.runs.n = place_at(s, i)->run_at;
		return false;
	}
	struct event *x = vec_push(&s->core, &s->bpor.runs, sizeof *x);
	if (x)
		*x = *e;
	return x != NULL;
}

/* Returns whether the thread of node i had only one alternative there. */
static bool only_way(struct search *s, uint32_t i)
{
	const struct node *n = node_at(s, i);
	uint32_t ways = 0;
	for (uint32_t k = 0; k < n->choice_n + n->blocked_n; k++)
		ways += choice_at(s, i, k)->thread == n->ev.thread;
	return ways == 1 && n->ev.alt == ALT_NORMAL;
}

/* The operation that thread t announces after node k - 1, its latest node: its next event, or one that was never performed. */
static const struct event *next_of(struct search *s, uint32_t k, thread_id t, const struct trace *trace)
{
	for (; k < s->trace.nodes.n; k++)
		if (node_at(s, k)->ev.thread == t)
			return &node_at(s, k)->ev;
	return &trace->pending[t];
}

static void find_run(struct search *s, uint32_t i, const struct trace *trace)
{
	thread_id t = node_at(s, i)->ev.thread;
	bool goes_on = i && node_at(s, i - 1)->ev.thread == t; /* then it moves to the front event by event */
	uint32_t k = i;
	do {
		bool fit = !node_at(s, k)->deadly && only_way(s, k); /* with another alternative (another value, say) it runs differently */
		if (!fit)
			s->bpor.runs.n = place_at(s, i)->run_at;
		if (!fit || !add_to_run(s, i, &node_at(s, k)->ev))
			return;
	} while (++k < s->trace.nodes.n && !goes_on && node_at(s, k)->ev.thread == t);
	if (goes_on)
		return;
	bool free = k < s->trace.nodes.n ? bpor_enabled(s, k, t) : trace->alts[t] != 0;
	const struct event *next = next_of(s, k, t, trace);
	if (free) {
		s->bpor.runs.n = place_at(s, i)->run_at; /* it was preempted */
		return;
	}
	if (next->kind != EV_NONE)
		add_to_run(s, i, next);
}

bool bpor_find_runs(struct search *s, uint32_t from, const struct trace *trace)
{
	s->bpor.runs.n = from ? place_at(s, from - 1)->run_at + place_at(s, from - 1)->run_n : 0;
	for (uint32_t i = from; i < s->trace.nodes.n && !s->core.failed; i++) {
		place_at(s, i)->run_at = s->bpor.runs.n;
		find_run(s, i, trace);
		place_at(s, i)->run_n = s->bpor.runs.n - place_at(s, i)->run_at;
	}
	return !s->core.failed;
}
