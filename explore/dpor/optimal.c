/*
 * Optimal-DPOR: every trace is explored exactly once, and no execution is redundant.
 *
 * Paper: Abdulla, Aronis, Jonsson, Sagonas, JACM 64(4), 2017, Algorithm 2 and section 7.
 *   E, pre(E, e)      the state of node i          sleep(E)   the sleepers of node i
 *   wut(E)            node.wut, without the branch being explored
 *   v                 struct sequence              WI         weak_initial()
 *   insert(v, wut(E)) optimal_insert() below       p < q      order of insertion
 *
 * Differences from the paper: a step is a (thread, alternative); races are analysed once per execution, in `end`, from memory that survives
 * the process; see race.c for blocking operations. With atomic regions, unit.c makes the plans.
 */
#include "explore/trace/await_past.h"
#include "explore/trace/barrier.h"
#include "explore/trace/buffer.h"
#include "explore/dpor/dpor.h"
#include "explore/shared/work_sharing.h"
#include "explore/trace/vclock.h"
#include "explore/tree/wakeup.h"

/* ---- what is inserted into the tree ---- */

/* Returns whether item k of v needs the earlier item m before it. */
static bool needed_by(struct search *s, const struct sequence *v, uint32_t m, uint32_t k)
{
	if (k < v->n)
		return happens_before(s, v->at[m], v->at[k]);
	const struct event *e = sequence_event(s, v, m);
	if (v->last->kind == EV_UPDATE && e->kind == EV_STORE && e->thread == update_owner(v->last))
		return true; /* its store, or an earlier one */
	return events_dependent(e, v->last) || (e->kind == EV_THREAD_CREATE && event_child(e) == v->last->thread);
}

/* Chooses item k, an event, with all items that happen before it. This includes what those items need. */
static void choose_event(struct search *s, struct sequence *v, uint32_t k)
{
	v->state[k] = ITEM_CHOSEN;
	for (uint32_t m = k; m-- > 0;)
		if (v->state[m] == ITEM_LEFT && needed_by(s, v, m, k))
			v->state[m] = ITEM_CHOSEN;
}

/* Chooses item k and all items that it needs. For the reversed event (the last item) only the direct needs are known; each of these is
   chosen together with its own needs. The walk goes from the latest to the earliest, since a late item often needs the earlier ones. */
static void choose_item(struct search *s, struct sequence *v, uint32_t k)
{
	if (v->state[k] != ITEM_LEFT)
		return;
	if (k < v->n) {
		choose_event(s, v, k);
		return;
	}
	v->state[k] = ITEM_CHOSEN;
	for (uint32_t m = k; m-- > 0;)
		if (v->state[m] == ITEM_LEFT && needed_by(s, v, m, k))
			choose_event(s, v, m);
}

/* Chooses what keeps q from being a weak initial of the chosen items and those met from depth `met` on. Returns true when that changed
   something. */
static bool choose_waker(struct search *s, struct sequence *v, const struct event *q, const struct forward *f, bool deadly,
	uint32_t met)
{
	struct use now = {.chosen = true, .met = met}, all = {.left = true, .chosen = true, .met = met};
	uint32_t at;
	if (!weak_initial(s, q, f, deadly, v, now, &at) || weak_initial(s, q, f, deadly, v, all, &at))
		return false;
	bool left = v->state[at] == ITEM_LEFT;
	choose_item(s, v, at);
	for (uint32_t m = 0; barrier_arrives(q) && m < at; m++) { /* arrivals conflict by their number */
		const struct event *e = sequence_event(s, v, m);
		if (v->state[m] != ITEM_LEFT || !barrier_arrives(e) || e->obj[0] != q->obj[0])
			continue;
		choose_item(s, v, m);
		left = true;
	}
	return left;
}

static bool note_level(struct search *s, aref list, aref taken)
{
	struct level *x = vec_push(&s->core, &s->trace.scratch[SCRATCH_PATH], sizeof *x);
	if (x)
		*x = (struct level){list, taken};
	return x != NULL;
}

/* One iteration of choose_branch. Returns false when nothing had to be chosen. */
static bool choose_wakers(struct search *s, uint32_t i, struct sequence *v)
{
	const struct vec *path = &s->trace.scratch[SCRATCH_PATH];
	const struct node *n = node_at(s, i);
	struct forward f;
	forward_of_node(s, i, &f);
	bool again = choose_waker(s, v, &n->ev, &f, n->deadly, 0);
	const struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < n->sleep_n; k++, x++)
		again |= choose_waker(s, v, &x->ev, &x->forward, x->deadly, 0);
	for (uint32_t d = 0; d < path->n; d++) {
		const struct level *l = (struct level *)vec_data(&s->core, path) + d;
		for (aref r = l->list; r != l->taken; r = wakeup_at(&s->core, r)->next) {
			struct event e = wakeup_event(&s->core, r);
			again |= choose_waker(s, v, &e, &wakeup_at(&s->core, r)->forward, false, d);
		}
	}
	return again;
}

/*
 * Chooses which of the remaining items form the new branch: the reversed event, and the items that wake every sleeper. Sleepers are those
 * at node i (the event being explored there included), and those that will sleep on the way because they come earlier in the tree. The
 * paper inserts all of v. A shorter branch is as good (nothing sleeps at its end), covers more of the later sequences, and keeps the tree
 * small.
 */
static void choose_branch(struct search *s, uint32_t i, struct sequence *v)
{
	if (v->last)
		choose_item(s, v, v->n);
	while (choose_wakers(s, i, v))
		;
}

/* Appends the chosen items as one branch to the list *head, which in a shared tree holds the children of `parent`. A death that is not
   picked follows by itself. */
static void append_branch(struct search *s, aref *head, aref parent, struct sequence *v)
{
	uint32_t n = sequence_length(v);
	for (uint32_t k = 0; k < n; k++) {
		if (v->state[k] != ITEM_CHOSEN)
			continue;
		const struct event *e = sequence_event(s, v, k);
		if (k == v->n && e->kind == EV_DEATH && v->n)
			break;
		struct forward f;
		forward_in_sequence(s, v, k, (struct use){.chosen = true, .met = 0}, &f);
		aref r = wakeup_append(&s->core, head, e, &f);
		if (!r)
			return;
		sequence_depends(v, e, &f, k);
		if (s->core.in_common)
			share_note(s, r, parent, v->start);
		parent = r;
		head = &wakeup_at(&s->core, r)->child;
	}
}

/* Returns the first node of the list that is a weak initial of what is left of v, or 0. */
static aref find_initial(struct search *s, aref list, struct sequence *v, uint32_t *at)
{
	for (bool found = false; list && !found;) {
		struct event e = wakeup_event(&s->core, list);
		const struct forward *f = &wakeup_at(&s->core, list)->forward;
		found = weak_initial(s, &e, f, false, v, USE_LEFT, at);
		sequence_depends(v, &e, f, *at);
		if (!found)
			list = wakeup_at(&s->core, list)->next;
	}
	return list;
}

static void insert(struct search *s, uint32_t i, struct sequence *v)
{
	struct node *n = node_at(s, i);
	uint32_t at;
	struct vec *path = &s->trace.scratch[SCRATCH_PATH];
	struct forward f;
	path->n = 0;
	forward_of_node(s, i, &f);
	if (sleepset_covers(s, i, v))
		return;
	if (weak_initial(s, &n->ev, &f, n->deadly, v, USE_LEFT, &at)) {
		sequence_depends(v, &n->ev, &f, at);
		return;
	}
	aref *head = s->core.in_common ? share_planned(s, i) : &n->wut;
	aref parent = s->core.in_common ? share_path(s, i) : 0;
	for (;;) {
		aref r = find_initial(s, *head, v, &at);
		if (!note_level(s, *head, r))
			return;
		if (!r) {
			choose_branch(s, i, v);
			append_branch(s, head, parent, v);
			return;
		}
		if (s->core.in_common ? share_is_leaf(s, r) : !wakeup_at(&s->core, r)->child)
			return; /* v continues this leaf, and is explored from there */
		if (at != NO_INDEX)
			v->state[at] = ITEM_MET + path->n - 1;
		head = &wakeup_at(&s->core, r)->child;
		parent = r;
	}
}

void optimal_insert(struct search *s, uint32_t i, struct sequence *v)
{
	share_enter(s, i);
	insert(s, i, v);
	share_leave(s);
}

const struct strategy_ops optimal_ops = {
	.name = "optimal",
	.begin = dpor_begin,
	.pick = dpor_pick,
	.observe = dpor_observe,
	.look = awaits_look_back,
	.end = dpor_end,
	.again = dpor_again,
};
