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

/* Looks the event (thread, idx) up in the trace; NULL when it isn't there. */
static const struct event *find_event(struct search *s, thread_id t, uint32_t idx)
{
	uint32_t at = thread_last(s, t);
	while (at && node_at(s, at - 1)->ev.thread == t && node_at(s, at - 1)->idx > idx)
		at = node_at(s, at - 1)->thread_prev;
	if (!at || node_at(s, at - 1)->ev.thread != t || node_at(s, at - 1)->idx != idx)
		return NULL;
	return &node_at(s, at - 1)->ev;
}

/* The event that tree node w will be, with object ids of this execution. On top of the tree of node i it is
   one of the choices there. Further down, ids that did not exist when w was inserted are looked up by thread
   and index; an event that isn't found touches nothing known. */
static struct event tree_event(struct search *s, uint32_t i, const struct wakeup *w, bool top)
{
	struct event e = w->ev;
	const struct node *n = node_at(s, i);
	const struct event *c = (struct event *)vec_data(s, &s->choices) + n->choice_at;
	for (uint32_t k = 0; top && k < n->choice_n; k++)
		if (c[k].thread == e.thread && c[k].alt == e.alt)
			return c[k];
	if (e.obj[0] <= w->known && e.obj[1] <= w->known)
		return e;
	const struct event *now = find_event(s, e.thread, w->idx);
	for (unsigned k = 0; k < 2; k++)
		if (e.obj[k] > w->known)
			e.obj[k] = now && now->kind == e.kind ? now->obj[k] : 0;
	return e;
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
	for (;;) {
		aref r = *head;
		for (; r; r = wakeup_at(s, r)->next) {
			struct event e = tree_event(s, i, wakeup_at(s, r), head == &n->wut);
			if (weak_initial(s, &e, false, v, &at))
				break;
		}
		if (!r) {
			append_branch(s, head, v, n->max_obj);
			return;
		}
		if (!wakeup_at(s, r)->child)
			return; /* a leaf that v continues: explored from there */
		if (at != NO_INDEX)
			v->gone[at] = 1;
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
