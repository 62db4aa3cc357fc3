/*
 * Sleep sets under a bound: see bpor.md.
 *
 * Thread t sleeps after its branch at state E was explored: what runs t later, in the way it would have run at E, was explored there with
 * no more preemptions. That needs more than independence of t's next event. Its whole run from E on, to where it is blocked, moves to the
 * front; so t wakes when something is executed that is dependent with any event of that run, or with what it waits for at the end,
 * or when somebody is left blocked whom the run might free.
 */
#include "explore/bpor.h"

#include "explore/sleepset.h"
#include "explore/vclock.h"

static bool at_barrier(const struct event *e)
{
	return e->mode[0] == M_ARRIVE || e->mode[0] == M_LAST || e->mode[0] == M_PASS;
}

/* Of arrivals at a barrier it is not asked who completes the round. */
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

/* Does some sleeping event of thread t at node i conflict with e? */
static bool wakes(struct search *s, uint32_t i, thread_id t, const struct event *e)
{
	const struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < node_at(s, i)->sleep_n; k++)
		if (x[k].ev.thread == t && conflict(&x[k].ev, e))
			return true;
	return false;
}

/* Is the next operation of the thread of event q still q, and nothing else possible? */
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

/* Does the thread of sleeper q go on sleeping over event i - 1? */
static bool sleeps_on(struct search *s, uint32_t i, const struct sched_view *view, const struct sleeper *q)
{
	const struct node *n = node_at(s, i - 1);
	thread_id t = q->ev.thread;
	const struct event *left = &view->trace->pending[n->ev.thread];
	if (n->ev.thread == t || n->deadly || wakes(s, i - 1, t, &n->ev))
		return false;
	return left->kind == EV_NONE || bpor_enabled(s, i, n->ev.thread) || !wakes(s, i - 1, t, left);
}

/* Its branch, which preempted the thread that ran, was explored at node i. Another way of that thread to go on (another value, say) is no
   preemption: what comes of it was not explored there for the same price. */
static bool cost_more(struct search *s, uint32_t i, uint32_t k)
{
	return k >= place_at(s, i)->inherited && i && node_at(s, i - 1)->ev.thread == node_at(s, i)->ev.thread;
}

bool bpor_inherit(struct search *s, uint32_t i, const struct sched_view *view)
{
	struct node *n = node_at(s, i);
	n->sleep_at = s->sleeps.n;
	n->sleep_n = 0;
	if (i == 0)
		return true;
	uint32_t have = node_at(s, i - 1)->sleep_n;
	if (!vec_reserve(s, &s->sleeps, s->sleeps.n + have, sizeof(struct sleeper)))
		return false;
	const struct sleeper *from = sleepers(s, i - 1);
	struct sleeper *to = sleepers(s, i);
	bool on = false;
	for (uint32_t k = 0; k < have; k++) {
		if (!from[k].overslept) /* the first of a run; the others go with it */
			on = !cost_more(s, i - 1, k) && unchanged(view, &from[k].ev) && sleeps_on(s, i, view, &from[k]);
		if (on)
			to[n->sleep_n++] = from[k];
	}
	s->sleeps.n += n->sleep_n;
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
		struct sleeper *x = vec_push(s, &s->sleeps, sizeof *x);
		if (!x)
			return false;
		x->ev = ((struct event *)vec_data(s, &s->runs))[p->run_at + k];
		x->ev.thread = n->ev.thread;
		x->overslept = k > 0;
		n->sleep_n++;
	}
	return true;
}

/* ---- runs ---- */

/* Does event e mean the same in every execution that passes node i? */
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
		s->runs.n = place_at(s, i)->run_at;
		return false;
	}
	struct event *x = vec_push(s, &s->runs, sizeof *x);
	if (x)
		*x = *e;
	return x != NULL;
}

/* Only one way to go on? */
static bool only_way(struct search *s, uint32_t i)
{
	const struct node *n = node_at(s, i);
	uint32_t ways = 0;
	for (uint32_t k = 0; k < n->choice_n + n->blocked_n; k++)
		ways += choice_at(s, i, k)->thread == n->ev.thread;
	return ways == 1 && n->ev.alt == ALT_NORMAL;
}

/* What thread t announces after node k - 1, its latest one: its next event, or what it never came to do. */
static const struct event *next_of(struct search *s, uint32_t k, thread_id t, const struct trace *trace)
{
	for (; k < s->nodes.n; k++)
		if (node_at(s, k)->ev.thread == t)
			return &node_at(s, k)->ev;
	return &trace->pending[t];
}

static void learn_run(struct search *s, uint32_t i, const struct trace *trace)
{
	thread_id t = node_at(s, i)->ev.thread;
	bool goes_on = i && node_at(s, i - 1)->ev.thread == t; /* then it moves to the front event by event */
	uint32_t k = i;
	do {
		bool fit = !node_at(s, k)->deadly && only_way(s, k); /* with another value, say, it runs otherwise */
		if (!fit)
			s->runs.n = place_at(s, i)->run_at;
		if (!fit || !add_to_run(s, i, &node_at(s, k)->ev))
			return;
	} while (++k < s->nodes.n && !goes_on && node_at(s, k)->ev.thread == t);
	if (goes_on)
		return;
	bool free = k < s->nodes.n ? bpor_enabled(s, k, t) : trace->alts[t] != 0;
	const struct event *next = next_of(s, k, t, trace);
	if (free) {
		s->runs.n = place_at(s, i)->run_at; /* it was stopped */
		return;
	}
	if (next->kind != EV_NONE)
		add_to_run(s, i, next);
}

bool bpor_find_runs(struct search *s, uint32_t from, const struct trace *trace)
{
	s->runs.n = from ? place_at(s, from - 1)->run_at + place_at(s, from - 1)->run_n : 0;
	for (uint32_t i = from; i < s->nodes.n && !s->failed; i++) {
		place_at(s, i)->run_at = s->runs.n;
		learn_run(s, i, trace);
		place_at(s, i)->run_n = s->runs.n - place_at(s, i)->run_at;
	}
	return !s->failed;
}
