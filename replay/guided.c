#include "replay/guided.h"

#include <string.h>

static bool guided_begin(void *self)
{
	struct guided *g = self;
	bool first = !g->begun;

	g->begun = true;
	return first;
}

/* Returns the choice of thread t with this alternative, or -1. */
static int choice_of(const struct sched_view *view, unsigned t, unsigned alt)
{
	for (unsigned i = 0; i < view->n; i++)
		if (view->choices[i].thread == t && view->choices[i].alt == alt)
			return (int)i;
	return -1;
}

/* Returns the choice with which the turn's thread is picked, or -1. Its store is picked after that. */
static int thread_of(const struct sched_view *view, const struct guided_turn *turn)
{
	return choice_of(view, turn->thread, alternative_is_older(turn->alt) ? ALT_NORMAL : turn->alt);
}

/* Returns the choice of an agent that could move a store of thread t now, or -1. `rested`: also of agents that rest. */
static int drain_of(const struct guided *g, const struct sched_view *view, unsigned t, bool rested)
{
	for (unsigned i = 0; i < view->n; i++) {
		thread_id a = view->choices[i].thread;
		if (is_agent(a) && update_owner(&view->trace->pending[a]) == t && (rested || !g->rests[a]))
			return (int)i;
	}
	return -1;
}

/* Returns the choice for a turn: the thread itself, or an agent while the thread waits for its own stores. */
static int turn_of(const struct guided *g, const struct sched_view *view, const struct guided_turn *turn)
{
	int i = thread_of(view, turn);

	if (i >= 0 || turn->alt != ALT_NORMAL || is_agent(turn->thread) || turn->thread >= MAX_THREADS)
		return i;
	return drain_of(g, view, turn->thread, true);
}

/* Returns the choice for the next turn that can be followed, or -1 at the end of the plan. */
static int planned(struct guided *g, const struct sched_view *view)
{
	const struct guided_turn *turn = guided_turns(g->area);

	for (; g->pos < g->turns; g->pos++) {
		unsigned t = turn[g->pos].thread;
		if (t >= MAX_IDS)
			continue;
		if (g->done[t] < turn[g->pos].until) {
			int i = turn_of(g, view, &turn[g->pos]);
			if (i >= 0)
				return i;
		}
		if (turn[g->pos].flags & GUIDED_REST)
			g->rests[t] = true;
	}
	return -1;
}

/* Returns the choice of the next thread after `from`, in cyclic order, that does not rest; -1 if there is none. */
static int next_thread(const struct guided *g, const struct sched_view *view, thread_id from)
{
	int first = -1;

	for (unsigned i = 0; i < view->n; i++) {
		thread_id t = view->choices[i].thread;
		if (is_agent(t) || view->choices[i].alt != ALT_NORMAL || g->rests[t] || t == from)
			continue;
		if (from != NO_THREAD && t > from)
			return (int)i;
		first = first < 0 ? (int)i : first;
	}
	return first;
}

static int unplanned(const struct guided *g, const struct sched_view *view)
{
	thread_id t = g->last;
	int i, own = -1;

	for (i = 0; (unsigned)i < view->n; i++)
		if (is_agent(view->choices[i].thread) && !g->rests[view->choices[i].thread])
			return i;
	if (t != NO_THREAD) {
		own = choice_of(view, t, ALT_NORMAL);
		if (own >= 0 && !view->current_yielded && !g->rests[t])
			return own;
		if (own < 0 && (i = drain_of(g, view, t, true)) >= 0)
			return i;
	}
	i = next_thread(g, view, t);
	if (i >= 0)
		return i;
	return own >= 0 ? own : 0;
}

static void note_movable(struct guided *g, const struct sched_view *view)
{
	struct guided_note n = { 0, 0, 0 };

	if (g->events >= g->notes)
		return;
	for (unsigned i = 0; i < view->n; i++) {
		thread_id t = view->choices[i].thread;
		bool agent = is_agent(t);
		unsigned bit = agent ? t - MAX_THREADS : t;
		uint64_t *to = agent ? &n.agents : view->choices[i].alt == ALT_NORMAL ? &n.normal
			: view->choices[i].alt == ALT_TIMEOUT ? &n.timeout : NULL;
		if (to && bit < 64)
			*to |= UINT64_C(1) << bit;
	}
	guided_notes(g->area)[g->events] = n;
}

static int guided_pick(void *self, const struct sched_view *view)
{
	struct guided *g = self;
	int i;

	note_movable(g, view);
	i = planned(g, view);
	return i >= 0 ? i : unplanned(g, view);
}

/* The store that the plan has for the thread's turn, else the latest. */
static int guided_pick_store(void *self, const struct sched_view *view)
{
	const struct guided *g = self;
	const struct guided_turn *turn = guided_turns(g->area) + g->pos;
	bool planned = g->pos < g->turns && turn->thread == view->choices[0].thread && alternative_is_older(turn->alt);
	int i = planned ? choice_of(view, turn->thread, turn->alt) : -1;

	return i >= 0 ? i : 0;
}

static void guided_observe(void *self, const struct event *e)
{
	struct guided *g = self;
	const struct guided_turn *turn = guided_turns(g->area);

	g->events++;
	g->last = event_owner(e);
	if (e->thread < MAX_IDS)
		g->done[e->thread]++;
	/* a turn with another alternative is for one event only */
	if (g->pos < g->turns && turn[g->pos].alt != ALT_NORMAL && turn[g->pos].thread == e->thread)
		g->pos++;
}

static void guided_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
}

static const struct strategy_ops ops = {
	.name = "guided",
	.begin = guided_begin,
	.pick = guided_pick,
	.pick_store = guided_pick_store,
	.observe = guided_observe,
	.end = guided_end,
};

bool guided_attach(struct guided *g, struct guided_area *area, uint64_t size, struct strategy *out)
{
	if (size < sizeof(*area) || area->turns > size / sizeof(struct guided_turn) || area->notes > size / sizeof(struct guided_note) ||
		guided_area_size(area->turns, area->notes) > size)
		return false;
	memset(g, 0, sizeof(*g));
	g->area = area;
	g->turns = area->turns;
	g->notes = area->notes;
	g->last = NO_THREAD;
	out->ops = &ops;
	out->self = g;
	return true;
}
