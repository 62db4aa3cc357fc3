/*
 * Optimal-DPOR: every trace is explored exactly once, and no execution is started in vain.
 *
 * Paper: Abdulla, Aronis, Jonsson, Sagonas, JACM 64(4), 2017, Algorithm 2 and section 7.
 *   E, pre(E, e)      the state of node i          sleep(E)   the sleepers of node i
 *   wut(E)            node.wut, the branch being explored left out
 *   v                 struct sequence              WI         weak_initial()
 *   insert(v, wut(E)) optimal_insert() below       p < q      order of insertion
 *
 * Differs here: a step is a (thread, alternative); races are analysed once per execution, in `end`, from
 * memory that survives the process; see race.c for blocking operations.
 */
#include "explore/dpor.h"
#include "explore/vclock.h"
#include "explore/wakeup.h"

/* The event (thread, idx) of this execution, performed or pending; NULL when it did not get so far. */
static const struct event *find_event(struct search *s, thread_id t, uint32_t idx)
{
	uint32_t at = thread_last(s, t), count = 0;
	if (at && node_at(s, at - 1)->ev.thread == t)
		count = node_at(s, at - 1)->idx;
	if (idx == count + 1) {
		const struct vec *v = &s->scratch[SCRATCH_PENDING];
		return t < v->n ? (struct event *)vec_data(s, v) + t : NULL;
	}
	while (count > idx) {
		at = node_at(s, at - 1)->thread_prev;
		count--;
	}
	return count == idx && count ? &node_at(s, at - 1)->ev : NULL;
}

static bool strayed(struct search *s, thread_id t)
{
	const struct vec *v = &s->scratch[SCRATCH_STRAYED];
	for (uint32_t k = 0; k < v->n; k++)
		if (((thread_id *)vec_data(s, v))[k] == t)
			return true;
	return false;
}

static bool note_strayed(struct search *s, thread_id t)
{
	thread_id *x = vec_push(s, &s->scratch[SCRATCH_STRAYED], sizeof *x);
	if (x)
		*x = t;
	return x != NULL;
}

/* Objects of the execution that did an insertion, and what they are called here. */
struct alias {
	uint32_t by;
	object_id there, here;
};

static object_id alias_find(struct search *s, uint32_t by, object_id there)
{
	const struct vec *v = &s->scratch[SCRATCH_ALIASES];
	const struct alias *x = vec_data(s, v);
	for (uint32_t k = 0; k < v->n; k++)
		if (x[k].by == by && x[k].there == there)
			return x[k].here;
	return 0;
}

static bool alias_add(struct search *s, uint32_t by, object_id there, object_id here)
{
	struct alias *x = vec_push(s, &s->scratch[SCRATCH_ALIASES], sizeof *x);
	if (x)
		*x = (struct alias){by, there, here};
	return x != NULL;
}

/* Gives *e, the event of tree node w, object ids of this execution; false when that can't be done. Ids that did
   not exist when w was inserted are looked up by thread and index, which is right as long as the thread
   has done the same in both executions: what it did on the way down the tree was part of v. Further down,
   an object that was identified once is known. */
static bool translate(struct search *s, const struct wakeup *w, struct event *e)
{
	const struct event *now = NULL;
	for (unsigned k = 0; k < 2; k++) {
		if (e->obj[k] <= w->known)
			continue;
		object_id here = alias_find(s, w->by, e->obj[k]);
		if (!here && !now && !strayed(s, e->thread))
			now = find_event(s, e->thread, w->idx);
		if (!here && (!now || event_kind_object(now->kind) != event_kind_object(e->kind) || !now->obj[k]))
			return false;
		if (!here && !alias_add(s, w->by, e->obj[k], now->obj[k]))
			return false;
		e->obj[k] = here ? here : now->obj[k];
	}
	return true;
}

/* The event of tree node w, for comparison with this execution. The tree hangs on node i, whose choices are the
   events on top. *unknown: it can't be identified and counts as dependent with everything. That may cost a
   redundant execution, but loses none. */
static struct event tree_event(struct search *s, uint32_t i, const struct wakeup *w, bool top, bool *unknown)
{
	struct event e = w->ev;
	const struct node *n = node_at(s, i);
	const struct event *c = (struct event *)vec_data(s, &s->choices) + n->choice_at;
	*unknown = false;
	for (uint32_t k = 0; top && k < n->choice_n; k++)
		if (c[k].thread == e.thread && c[k].alt == e.alt)
			return c[k];
	*unknown = !translate(s, w, &e);
	return e;
}

/* ---- what is hung on the tree ---- */

/* Is item m of v something that item k, later in v, needs before it? */
static bool needed_by(struct search *s, const struct sequence *v, uint32_t m, uint32_t k)
{
	if (k < v->n)
		return happens_before(s, v->at[m], v->at[k]);
	const struct event *e = sequence_event(s, v, m);
	return events_dependent(e, v->last) || (e->kind == EV_THREAD_CREATE && e->seq == v->last->thread);
}

/* Chooses item k with what it needs. (Direct needs only of the last item, all of the others: two levels.) */
static void choose(struct search *s, struct sequence *v, uint32_t k)
{
	if (v->state[k] != ITEM_LEFT)
		return;
	v->state[k] = ITEM_CHOSEN;
	for (uint32_t m = k; m-- > 0;)
		if (v->state[m] == ITEM_LEFT && needed_by(s, v, m, k))
			choose(s, v, m);
}

/* Chooses what makes q no weak initial of the items in `use`; true when that was necessary. */
static bool choose_waker(struct search *s, struct sequence *v, const struct event *q, bool deadly, unsigned use)
{
	uint32_t at;
	if (!weak_initial(s, q, deadly, v, use, &at) || weak_initial(s, q, deadly, v, use | USE_LEFT, &at))
		return false;
	bool left = v->state[at] == ITEM_LEFT;
	choose(s, v, at);
	for (uint32_t m = 0; q->mode[0] == M_ARRIVE && m < at; m++) { /* arrivals conflict by their number */
		const struct event *e = sequence_event(s, v, m);
		if (v->state[m] != ITEM_LEFT || e->mode[0] != M_ARRIVE || e->obj[0] != q->obj[0])
			continue;
		choose(s, v, m);
		left = true;
	}
	return left;
}

/*
 * Chooses which of the items left make the new branch: the reversed event, and whatever wakes those who sleep
 * at node i and those who will sleep because they are explored before (the siblings from `list` on). The
 * paper hangs all of v there. A shorter branch is as good (no weak initial of it sleeps), covers more sequences
 * that come later, and keeps the tree small.
 */
static void choose_branch(struct search *s, uint32_t i, aref list, bool top, struct sequence *v)
{
	const struct node *n = node_at(s, i);
	if (v->last)
		choose(s, v, v->n);
	for (bool again = true; again;) {
		again = false;
		for (uint32_t k = 0; k < n->sleep_n; k++) {
			const struct sleeper *x = sleepers(s, i) + k;
			again |= choose_waker(s, v, &x->ev, x->deadly, USE_MET | USE_CHOSEN);
		}
		for (aref r = list; r; r = wakeup_at(s, r)->next) {
			bool unknown;
			struct event e = tree_event(s, i, wakeup_at(s, r), top, &unknown);
			again |= choose_waker(s, v, &e, unknown, USE_CHOSEN);
		}
	}
}

/* Hangs the chosen items below *head as one branch. A death that nobody picks follows by itself. */
static void append_branch(struct search *s, aref *head, const struct sequence *v, uint32_t known)
{
	uint32_t n = sequence_length(v);
	for (uint32_t k = 0; k < n; k++) {
		if (v->state[k] != ITEM_CHOSEN)
			continue;
		const struct event *e = sequence_event(s, v, k);
		if (k == v->n && e->kind == EV_DEATH && v->n)
			break;
		aref r = wakeup_append(s, head, e, k < v->n ? node_at(s, v->at[k])->idx : v->last_idx);
		if (!r)
			return;
		wakeup_at(s, r)->known = known;
		wakeup_at(s, r)->by = s->insertions;
		head = &wakeup_at(s, r)->child;
	}
	s->insertions++;
}

/* The first node of the list that is a weak initial of what is left of v, or 0. */
static aref find_initial(struct search *s, uint32_t i, aref list, bool top, const struct sequence *v, uint32_t *at)
{
	for (; list; list = wakeup_at(s, list)->next) {
		bool unknown;
		struct event e = tree_event(s, i, wakeup_at(s, list), top, &unknown);
		if (weak_initial(s, &e, unknown, v, USE_LEFT, at))
			break;
	}
	return list;
}

void optimal_insert(struct search *s, uint32_t i, struct sequence *v)
{
	struct node *n = node_at(s, i);
	uint32_t at;
	if (sleepset_covers(s, i, v) || weak_initial(s, &n->ev, n->deadly, v, USE_ALL, &at))
		return;
	aref *head = &n->wut;
	s->scratch[SCRATCH_STRAYED].n = 0;
	s->scratch[SCRATCH_ALIASES].n = 0;
	for (;;) {
		aref r = find_initial(s, i, *head, head == &n->wut, v, &at);
		if (!r) {
			choose_branch(s, i, *head, head == &n->wut, v);
			append_branch(s, head, v, n->max_obj);
			return;
		}
		if (!wakeup_at(s, r)->child)
			return; /* a leaf that v continues: explored from there */
		if (at != NO_INDEX)
			v->state[at] = ITEM_MET;
		else if (!note_strayed(s, wakeup_at(s, r)->ev.thread))
			return;
		head = &wakeup_at(s, r)->child;
	}
}

const struct strategy_ops optimal_ops = {
	.name = "optimal",
	.begin = dpor_begin,
	.pick = dpor_pick,
	.observe = dpor_observe,
	.end = dpor_end,
};
