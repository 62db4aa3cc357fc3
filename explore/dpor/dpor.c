/*
 * The walk over the tree of executions that Optimal-DPOR and Source-DPOR share.
 *
 * Node i of the stack is the state E after i events: its sleep set, the wakeup tree of what must still be explored from it, and the event
 * being explored. An execution repeats the prefix up to the deepest node with a wakeup tree, takes the tree's first branch, follows it down
 * to a leaf, and is free from there on. `end` analyses races and adds new branches to the wakeup trees of nodes on the stack; `begin` goes
 * back to the deepest node that has some. A source set is a wakeup tree of depth one.
 */
#include "explore/dpor/dpor.h"

#include "explore/trace/account.h"
#include "explore/trace/distinct.h"
#include "explore/tree/estimate.h"
#include "explore/tree/next_thread.h"
#include "explore/tree/prefix.h"
#include "explore/trace/race.h"
#include "explore/dpor/spine.h"
#include "explore/shared/work_sharing.h"
#include "explore/trace/unit.h"
#include "explore/trace/vclock.h"
#include "explore/tree/wakeup.h"

/* Pops finished nodes until one has a branch left; its explored event goes to sleep. Returns false when this worker has explored
   everything it held. */
static bool backtrack(struct search *s)
{
	while (s->trace.nodes.n > s->share.shared) {
		uint32_t i = s->trace.nodes.n - 1;
		if (node_at(s, i)->wut) {
			clocks_truncate(s, i < s->trace.analysed ? i : s->trace.analysed);
			node_at(s, i)->tried++;
			return sleepset_add(s, i);
		}
		prefix_truncate(s, i);
	}
	return false;
}

/* Continues when nothing is left below the private states: takes another leaf, or ends the search. */
static bool next_branch(struct search *s)
{
	if (s->share.worker)
		return share_next(s);
	s->core.stats.finished = 1;
	estimate_done(s);
	return false;
}

static bool find_work(struct search *s)
{
	if (s->share.waiting || !backtrack(s))
		return next_branch(s);
	share_offer(s);
	return s->trace.nodes.n > s->share.shared || next_branch(s); /* share_offer may have given away the state where the walk would have continued */
}

bool dpor_begin(void *self)
{
	struct search *s = self;
	if (s->core.failed && s->share.worker)
		share_end(s); /* no worker will explore what this one held */
	if (s->core.failed || s->core.stats.finished || spine_wants_no_more(s))
		return false;
	spine_restart(s);
	if (s->tree.started && !find_work(s))
		return false;
	s->tree.started = 1;
	s->dpor.next_wut = 0;
	s->dpor.next_root = NO_INDEX;
	s->dpor.chosen = 0;
	prefix_begin(s, s->trace.nodes.n ? s->trace.nodes.n - 1 : 0);
	return true;
}

/* Repeats an execution that was broken off. The walk keeps its progress: it continues with the event after the last one that it observed.
   The choice made there has its subtree in next_wut, no longer in the tree, so the walk does not take it again. */
bool dpor_again(void *self)
{
	struct search *s = self;
	uint32_t repeat = s->tree.pos > s->tree.repeat ? s->tree.pos : s->tree.repeat; /* pos is smaller if it had been broken off before */
	if (s->core.failed || s->tree.redundant)
		return false;
	prefix_begin(s, s->tree.prefix);
	s->tree.repeat = repeat;
	return true;
}

void dpor_hand_back(struct search *s)
{
	share_hand_back(s, !s->share.waiting && backtrack(s));
}

void dpor_plan_all(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	share_enter(s, i);
	aref *wut = s->core.in_common ? &wakeup_at(&s->core, share_path(s, i))->child : &n->wut;
	const struct event *c = (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at;
	for (uint32_t k = 0; k < n->choice_n; k++) {
		if (sleepset_has(s, i, c[k].thread, c[k].alt) || wakeup_find(&s->core, *wut, c[k].thread, c[k].alt))
			continue;
		if (i < s->tree.pos && n->ev.thread == c[k].thread && n->ev.alt == c[k].alt)
			continue;
		aref r = wakeup_append(&s->core, wut, &c[k], NULL);
		if (r && s->core.in_common)
			share_note(s, r, share_path(s, i), i);
	}
	share_leave(s);
}

/* Drops the first planned branch at node n. */
static void drop_planned(struct search *s, struct node *n)
{
	aref child;
	wakeup_take_first(&s->core, &n->wut, &child);
	wakeup_free(&s->core, child);
}

/* Handles a planned choice that is not enabled: the reversal that it belongs to is impossible in this way. Drops it, and plans every
   choice from the node where it was planned down to here, so that nothing is lost. */
static void infeasible(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	drop_planned(s, n);
	s->core.stats.infeasible++;
	uint32_t root = n->tree_root == NO_INDEX ? i : n->tree_root;
	for (uint32_t k = root; k <= i; k++)
		dpor_plan_all(s, k);
}

/* A planned choice was compared with others by the names of its objects. Reports in stats.renamed when it now touches other objects. */
static void check_names(struct search *s, const struct wakeup *w, const struct sched_view *view)
{
	const struct event *p = &view->trace->pending[w->ev.thread];
	if (!view->object_name || p->kind != w->ev.kind)
		return;
	for (unsigned k = 0; k < 2; k++) {
		if (object_is_memory(p->obj[k]) && (p->obj[k] != w->ev.obj[k] || p->span != w->ev.span))
			s->core.stats.renamed = 1;
		else if (p->obj[k] && w->name[k] && view->object_name(view->world, p->obj[k]) != w->name[k])
			s->core.stats.renamed = 1;
	}
}

/* Returns whether the planned choice was enabled in this very state when an execution first came here. */
static bool was_enabled(struct search *s, const struct node *n, const struct wakeup *w)
{
	const struct event *c = (struct event *)vec_data(&s->core, &s->trace.choices) + n->choice_at;
	for (uint32_t k = 0; k < n->choice_n; k++)
		if (c[k].thread == w->ev.thread && c[k].alt == w->ev.alt)
			return true;
	return false;
}

static int pick_planned(struct search *s, uint32_t i, const struct sched_view *view)
{
	struct node *n = node_at(s, i);
	while (n->wut && !s->core.failed) {
		const struct wakeup *w = wakeup_at(&s->core, n->wut);
		int k = view_find(view, w->ev.thread, w->ev.alt);
		if (sleepset_has(s, i, w->ev.thread, w->ev.alt)) {
			/* its outcome could not be predicted when it was planned, and it conflicts with less than was assumed */
			drop_planned(s, n);
			continue;
		}
		if (k >= 0) {
			check_names(s, w, view);
			uint32_t root = n->tree_root == NO_INDEX ? i : n->tree_root;
			n->guess = w->guess;
			wakeup_take_first(&s->core, &n->wut, &s->dpor.next_wut);
			s->dpor.next_root = s->dpor.next_wut ? root : NO_INDEX;
			s->tree.picked = view->choices[k];
			return k;
		}
		if (was_enabled(s, n, w)) {
			prefix_diverged(s, &view->trace->pending[w->ev.thread]);
			return PICK_DIVERGED;
		}
		infeasible(s, i);
	}
	s->tree.redundant = !s->core.failed; /* everything enabled here sleeps: it is explored elsewhere */
	return PICK_STOP;
}

/* Makes node s->tree.pos, with the wakeup tree that the previous choice left for it. */
static bool push_node(struct search *s, const struct sched_view *view)
{
	struct node *n = prefix_push(s, view, true);
	if (!n || !sleepset_inherit(s, s->tree.pos))
		return false;
	n->wut = s->dpor.next_wut;
	n->tree_root = s->dpor.next_root;
	s->dpor.next_wut = 0;
	s->dpor.next_root = NO_INDEX;
	n->free = !n->wut;
	if (n->free)
		sleepset_oversleep(s, s->tree.pos);
	return true;
}

/* Picks a choice on the way to the leaf that this worker holds, in a state that others may know. */
static int pick_shared(struct search *s, const struct sched_view *view)
{
	uint32_t i = s->tree.pos;
	if (i == s->trace.nodes.n && (!prefix_push(s, view, true) || !share_sleepers(s, i)))
		return PICK_STOP;
	struct node *n = node_at(s, i);
	const struct wakeup *w = share_step(s, i);
	n->ev = w->ev;
	n->deadly = 0;
	int k = i < s->share.settled ? prefix_pick(s, view) : view_find(view, n->ev.thread, n->ev.alt);
	if (i < s->share.settled && k < 0)
		return k;
	if (k >= 0 && (i < s->share.settled || !sleepset_has(s, i, n->ev.thread, n->ev.alt))) {
		check_names(s, w, view);
		s->tree.picked = view->choices[k];
		return k;
	}
	if (k < 0) {
		s->core.stats.infeasible++;
		for (uint32_t d = share_root_of(s, i); d <= i; d++)
			dpor_plan_all(s, d);
	}
	s->share.dropped = 1;
	s->tree.redundant = !s->core.failed;
	return PICK_STOP;
}

/* The number of events that were seen before, by this worker or by others. */
static uint32_t repeated(const struct search *s)
{
	return s->tree.repeat > s->share.settled ? s->tree.repeat : s->share.settled;
}

/* Picks what was already picked here before the execution was broken off. */
static int pick_again(struct search *s, const struct sched_view *view)
{
	int k = view_find(view, s->tree.picked.thread, s->tree.picked.alt);
	if (k < 0)
		prefix_diverged(s, NULL);
	return k < 0 ? PICK_DIVERGED : k;
}

static int pick_new(struct search *s, const struct sched_view *view)
{
	if (s->tree.pos < s->share.shared)
		return pick_shared(s, view);
	if (s->tree.pos == s->trace.nodes.n && !push_node(s, view))
		return PICK_STOP;
	if (node_at(s, s->tree.pos)->wut)
		return pick_planned(s, s->tree.pos, view);
	int k = spine_pick(s, view);
	if (k < 0)
		k = order_pick(s, s->tree.pos, view);
	if (k < 0) {
		s->tree.redundant = 1;
		return PICK_STOP;
	}
	s->tree.picked = view->choices[k];
	return k;
}

int dpor_pick(void *self, const struct sched_view *view)
{
	struct search *s = self;
	if (s->tree.pos < s->tree.repeat)
		return prefix_pick(s, view);
	if (s->core.failed)
		return s->core.stats.diverged ? PICK_DIVERGED : PICK_STOP;
	if (s->dpor.chosen == s->tree.pos + 1)
		return pick_again(s, view);
	int k = pick_new(s, view);
	if (k >= 0)
		s->dpor.chosen = s->tree.pos + 1;
	return k;
}

void dpor_observe(void *self, const struct event *e)
{
	struct search *s = self;
	if (!order_note(s, e->thread, s->tree.pos))
		return;
	if (s->tree.pos < s->trace.nodes.n && s->tree.pos < repeated(s))
		prefix_observe(s, e);
	else if (s->tree.pos < s->trace.nodes.n) {
		struct node *n = node_at(s, s->tree.pos++);
		spine_observe(s, e);
		n->ev = *e;
		n->deadly = 0; /* the event explored here before may have been deadly */
	}
}

/* Adds an event that was not picked: the process died. It gets a node of its own, and the event before it is marked: nothing can come
   between the two. */
static bool push_death(struct search *s, const struct event *e)
{
	struct node *n = vec_push(&s->core, &s->trace.nodes, sizeof *n);
	if (!n)
		return false;
	n->ev = *e;
	n->choice_at = s->trace.choices.n;
	n->sleep_at = s->tree.sleeps.n;
	n->tree_root = NO_INDEX;
	if (s->tree.pos > 0)
		node_at(s, s->tree.pos - 1)->deadly = 1;
	s->tree.pos++;
	return true;
}

bool dpor_catch_up(struct search *s, const struct trace *trace, void (*observe)(void *self, const struct event *e))
{
	while (s->tree.pos < trace->n) {
		const struct event *e = &trace->event[s->tree.pos];
		bool picked = s->tree.pos < s->tree.repeat ||
			      (s->tree.pos < s->trace.nodes.n && e->thread == s->tree.picked.thread && e->kind != EV_DEATH);
		if (picked) {
			observe(s, e);
			continue;
		}
		if (s->tree.pos < s->trace.nodes.n) { /* picked, but the process died before it was performed */
			wakeup_free(&s->core, node_at(s, s->tree.pos)->wut);
			prefix_truncate(s, s->tree.pos);
		}
		if (!push_death(s, e))
			return false;
	}
	return s->tree.pos >= repeated(s) || s->core.stats.diverged;
}

static void remember_trace(struct search *s, enum run_verdict verdict)
{
	if (s->tree.redundant || !verdict_is_whole(verdict))
		return;
	if (s->core.config.strategy == STRATEGY_SOURCE || s->core.config.regions & REGION_ATOMIC)
		distinct_count(s);
	else
		s->core.stats.distinct_traces = s->core.stats.executions;
}

void dpor_end(void *self, const struct trace *trace, enum run_verdict verdict)
{
	struct search *s = self;
	bool whole = dpor_catch_up(s, trace, dpor_observe);
	account_execution(s, trace, s->core.failed && !whole ? RUN_CUT : verdict);
	wakeup_free(&s->core, s->dpor.next_wut);
	s->dpor.next_wut = 0;
	s->core.stats.depth = s->trace.nodes.n;
	if (!whole && !s->core.failed)
		prefix_ended_early(s);
	if (s->core.failed)
		return;
	/* a node whose choice was never performed (cut) is not part of the execution */
	if (s->trace.nodes.n > s->tree.pos) {
		wakeup_free(&s->core, node_at(s, s->tree.pos)->wut);
		prefix_truncate(s, s->tree.pos);
	}
	if (!clocks_extend(s, s->tree.pos))
		return;
	if (search_atomic(s))
		units_note(s);
	if (s->share.settled < s->share.shared)
		share_settle(s);
	remember_trace(s, verdict);
	if (search_atomic(s))
		units_end(s);
	races_analyse(s, trace);
	spine_end(s, verdict);
	estimate_add(s);
}
