/*
 * The walk of bounded partial-order reduction: see bpor.h and bpor.md.
 *
 * Nodes record which of their choices are planned. An execution repeats the prefix up to the deepest node with a planned choice within the
 * bound, takes that choice, and is free from there on: the running thread continues as long as it can.
 */
#include "explore/dpor/bpor.h"

#include "explore/trace/account.h"
#include "explore/trace/await_past.h"
#include "explore/trace/distinct.h"
#include "explore/dpor/dpor.h"
#include "explore/tree/estimate.h"
#include "explore/tree/next_thread.h"
#include "explore/tree/prefix.h"
#include "explore/trace/race.h"
#include "explore/trace/vclock.h"

bool bpor_enabled(struct search *s, uint32_t i, thread_id t)
{
	for (uint32_t k = 0; k < node_at(s, i)->choice_n; k++)
		if (choice_at(s, i, k)->thread == t)
			return true;
	return false;
}

/* The preemptions that running thread t at node i costs: 1 when it was left while it was enabled. */
static uint32_t price(struct search *s, uint32_t i, thread_id t)
{
	uint32_t k = i;
	if (i == 0 || node_at(s, i - 1)->ev.thread == t)
		return 0;
	while (k > 0 && node_at(s, k - 1)->ev.thread != t)
		k--;
	return k > 0 && bpor_enabled(s, k, t);
}

static bool affordable(struct search *s, uint32_t i, thread_id t)
{
	return place_at(s, i)->spent + price(s, i, t) <= s->core.config.preemptions;
}

bool bpor_plan_thread(struct search *s, uint32_t i, thread_id t)
{
	bool over = !affordable(s, i, t);
	for (uint32_t k = 0; k < node_at(s, i)->choice_n; k++) {
		uint8_t *state = choice_state(s, i, k);
		if (choice_at(s, i, k)->thread != t || *state != CHOICE_NEW)
			continue;
		if (bpor_asleep(s, i, t))
			return false;
		*state = over ? CHOICE_OVER_BOUND : CHOICE_PLANNED;
		s->core.stats.bounded_out += over;
	}
	return true;
}

void bpor_plan_all(struct search *s, uint32_t i)
{
	for (uint32_t k = 0; k < node_at(s, i)->choice_n; k++)
		bpor_plan_thread(s, i, choice_at(s, i, k)->thread);
}

/* The first planned choice of node i; NO_INDEX: there is none. */
static uint32_t planned_choice(struct search *s, uint32_t i)
{
	for (uint32_t k = 0; k < node_at(s, i)->choice_n; k++)
		if (*choice_state(s, i, k) == CHOICE_PLANNED)
			return k;
	return NO_INDEX;
}

/* ---- the beginning of an execution ---- */

static bool backtrack(struct search *s)
{
	while (s->trace.nodes.n) {
		uint32_t i = s->trace.nodes.n - 1;
		if (planned_choice(s, i) != NO_INDEX) {
			clocks_truncate(s, i < s->trace.analysed ? i : s->trace.analysed);
			node_at(s, i)->tried++;
			return bpor_fall_asleep(s, i);
		}
		prefix_truncate(s, i);
		s->bpor.places.n = i;
	}
	return false;
}

static bool bpor_begin(void *self)
{
	struct search *s = self;
	if (s->core.failed || s->core.stats.finished)
		return false;
	if (s->tree.started && !backtrack(s)) {
		s->core.stats.finished = !s->core.failed;
		estimate_done(s);
		return false;
	}
	s->tree.started = 1;
	prefix_begin(s, s->trace.nodes.n ? s->trace.nodes.n - 1 : 0);
	return true;
}

/* ---- a step ---- */

/* Initialises the bpor data of the topmost node and of its choices. */
static bool make_places(struct search *s)
{
	uint32_t n = s->trace.nodes.n;
	if (!vec_reserve(&s->core, &s->bpor.places, n, sizeof(struct place)) || !vec_reserve(&s->core, &s->bpor.choice_states, s->trace.choices.n, 1))
		return false;
	s->bpor.places.n = n;
	s->bpor.choice_states.n = s->trace.choices.n;
	*place_at(s, n - 1) = (struct place){0};
	memset(choice_state(s, n - 1, 0), CHOICE_NEW, s->trace.choices.n - node_at(s, n - 1)->choice_at);
	return true;
}

static bool push_node(struct search *s, const struct sched_view *view)
{
	uint32_t i = s->tree.pos;
	if (!prefix_push(s, view, true) || !make_places(s))
		return false;
	struct place *p = place_at(s, i);
	p->spent = i ? place_at(s, i - 1)->spent + price(s, i - 1, node_at(s, i - 1)->ev.thread) : 0;
	return bpor_inherit(s, i, view);
}

static bool is_reluctant(const struct sched_view *view, const struct choice *c)
{
	return c->alt == ALT_TIMEOUT || c->alt == ALT_SPURIOUS || (c->thread == view->current && view->current_yielded);
}

/*
 * Picks what is always explored at a new node: the current thread if it can continue; else another thread that costs nothing; else every
 * choice is planned. A thread that just yielded, or can only time out, lets another one run first, and is planned for later.
 */
static int pick_free(struct search *s, uint32_t i, const struct sched_view *view)
{
	struct vec *v = &s->bpor.out;
	if (!vec_reserve(&s->core, v, view->n, 1))
		return -1;
	uint8_t *out = vec_data(&s->core, v);
	bool current = false, eager = false;
	for (unsigned k = 0; k < view->n; k++) {
		const struct choice *c = &view->choices[k];
		current |= c->thread == view->current;
		eager |= c->thread == view->current && !is_reluctant(view, c);
	}
	for (unsigned k = 0; k < view->n; k++) {
		thread_id t = view->choices[k].thread;
		out[k] = t != view->current && (eager || price(s, i, t));
	}
	int k = order_pick_among(s, i, view, out);
	if (k < 0) {
		for (unsigned m = 0; m < view->n; m++)
			out[m] = !affordable(s, i, view->choices[m].thread);
		bpor_plan_all(s, i);
		k = order_pick_among(s, i, view, out);
	}
	if (k < 0)
		return k;
	bpor_plan_thread(s, i, view->choices[k].thread);
	if (current && view->choices[k].thread != view->current) {
		bpor_plan_thread(s, i, view->current);
		place_at(s, i)->restless = 1;
	}
	return k;
}

static int pick_planned(struct search *s, uint32_t i, const struct sched_view *view)
{
	uint32_t k = planned_choice(s, i);
	if (k == NO_INDEX)
		return PICK_STOP;
	int at = view_find(view, choice_at(s, i, k)->thread, choice_at(s, i, k)->alt);
	if (at < 0) {
		prefix_diverged(s, NULL);
		return PICK_DIVERGED;
	}
	*choice_state(s, i, k) = CHOICE_TAKEN;
	return at;
}

static int bpor_pick(void *self, const struct sched_view *view)
{
	struct search *s = self;
	if (s->tree.pos < s->tree.prefix)
		return prefix_pick(s, view);
	if (s->core.failed)
		return s->core.stats.diverged ? PICK_DIVERGED : PICK_STOP;
	int k;
	if (s->tree.pos < s->trace.nodes.n) {
		k = pick_planned(s, s->tree.pos, view);
	} else {
		if (!push_node(s, view))
			return PICK_STOP;
		k = pick_free(s, s->tree.pos, view);
		if (k >= 0)
			*choice_state(s, s->tree.pos, (uint32_t)k) = CHOICE_TAKEN;
	}
	if (k >= 0) {
		s->tree.picked = view->choices[k];
		return k;
	}
	s->tree.redundant = !s->core.failed; /* what is enabled here sleeps, or exceeds the bound */
	return k == PICK_DIVERGED ? k : PICK_STOP;
}

static void bpor_observe(void *self, const struct event *e)
{
	struct search *s = self;
	if (!order_note(s, e->thread, s->tree.pos))
		return;
	if (s->tree.pos < s->tree.prefix && s->tree.pos < s->trace.nodes.n) {
		prefix_observe(s, e);
	} else if (s->tree.pos < s->trace.nodes.n) {
		struct node *n = node_at(s, s->tree.pos++);
		n->ev = *e;
		n->deadly = 0; /* the event explored here before may have been deadly */
	}
}

/* ---- the end of an execution ---- */

static void bpor_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct search *s = self;
	uint32_t from = s->tree.prefix;
	bool whole = dpor_catch_up(s, trace, bpor_observe);
	account_execution(s, trace, s->core.failed && !whole ? RUN_CUT : verdict);
	s->core.stats.depth = s->trace.nodes.n;
	if (!whole && !s->core.failed)
		prefix_ended_early(s);
	if (s->core.failed)
		return;
	/* a node whose choice was never performed (cut, or stopped) is not part of the execution */
	if (s->trace.nodes.n > s->tree.pos)
		prefix_truncate(s, s->tree.pos);
	if (s->bpor.places.n > s->trace.nodes.n)
		s->bpor.places.n = s->trace.nodes.n;
	if (s->bpor.places.n < s->trace.nodes.n && !make_places(s)) /* a death, which was not picked */
		return;
	if (!clocks_extend(s, s->tree.pos))
		return;
	if (!s->tree.redundant && verdict_is_whole(verdict)) {
		distinct_count(s);
		s->core.stats.within_bound = s->core.stats.distinct_traces; /* each was executed within the bound */
	}
	races_analyse(s, trace);
	if (!s->core.failed)
		bpor_find_runs(s, from, trace);
}

const struct strategy_ops bpor_ops = {
	.name = "bpor",
	.begin = bpor_begin,
	.pick = bpor_pick,
	.observe = bpor_observe,
	.look = awaits_look_back,
	.end = bpor_end,
};
