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

/* Gives *e, the event of tree node w, object ids of this execution; false when that can't be done. Ids that did
   not exist when w was inserted are looked up by thread and index, which is right as long as the thread
   has done the same in both executions: everything on the way down the tree was part of v. */
static bool translate(struct search *s, const struct wakeup *w, struct event *e)
{
	if (e->obj[0] <= w->known && e->obj[1] <= w->known)
		return true;
	const struct event *now = strayed(s, e->thread) ? NULL : find_event(s, e->thread, w->idx);
	if (!now || event_kind_object(now->kind) != event_kind_object(e->kind))
		return false;
	for (unsigned k = 0; k < 2; k++)
		if (e->obj[k] > w->known)
			e->obj[k] = now->obj[k];
	return true;
}

/* Is tree node w a weak initial of v? The tree hangs on node i, whose choices are the events on top. An event
   that can't be identified counts as dependent with everything: that may cost a redundant execution, but
   loses none. */
static bool initial_in_tree(struct search *s, uint32_t i, const struct wakeup *w, bool top, const struct sequence *v,
	uint32_t *at)
{
	struct event e = w->ev;
	const struct node *n = node_at(s, i);
	const struct event *c = (struct event *)vec_data(s, &s->choices) + n->choice_at;
	for (uint32_t k = 0; top && k < n->choice_n; k++)
		if (c[k].thread == e.thread && c[k].alt == e.alt)
			return weak_initial(s, &c[k], false, v, at);
	return weak_initial(s, &e, !translate(s, w, &e), v, at);
}

/* Hangs what is left of v below *head as one branch. A death that nobody picks follows by itself. */
static void append_branch(struct search *s, aref *head, const struct sequence *v, uint32_t known)
{
	uint32_t n = sequence_length(v);
	for (uint32_t k = 0; k < n; k++) {
		if (v->gone[k])
			continue;
		const struct event *e = sequence_event(s, v, k);
		if (k == v->n && e->kind == EV_DEATH && v->n)
			break;
		uint32_t idx = k < v->n ? node_at(s, v->at[k])->idx : v->last_idx;
		aref r = wakeup_append(s, head, e, idx, known);
		if (!r)
			return;
		head = &wakeup_at(s, r)->child;
	}
}

void optimal_insert(struct search *s, uint32_t i, struct sequence *v)
{
	struct node *n = node_at(s, i);
	uint32_t at;
	if (sleepset_covers(s, i, v) || weak_initial(s, &n->ev, n->deadly, v, &at))
		return;
	aref *head = &n->wut;
	s->scratch[SCRATCH_STRAYED].n = 0;
	for (;;) {
		aref r = *head;
		while (r && !initial_in_tree(s, i, wakeup_at(s, r), head == &n->wut, v, &at))
			r = wakeup_at(s, r)->next;
		if (!r) {
			append_branch(s, head, v, n->max_obj);
			return;
		}
		if (!wakeup_at(s, r)->child)
			return; /* a leaf that v continues: explored from there */
		if (at != NO_INDEX)
			v->gone[at] = 1;
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
