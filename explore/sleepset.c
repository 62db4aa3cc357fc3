/* Sleep sets and weak initials: see sleepset.h. */
#include "explore/sleepset.h"

#include "explore/barrier.h"
#include "explore/buffer.h"

static const struct forward nothing;

const struct event *sequence_event(struct search *s, const struct sequence *v, uint32_t k)
{
	return k < v->n ? &node_at(s, v->at[k])->ev : v->last;
}

uint32_t sequence_length(const struct sequence *v)
{
	return v->n + (v->last != NULL);
}

bool item_used(const struct sequence *v, uint32_t k, struct use use)
{
	uint32_t x = v->state[k];
	return (x == ITEM_LEFT && use.left) || (x == ITEM_CHOSEN && use.chosen) ||
	       (x >= ITEM_MET && x - ITEM_MET >= use.met);
}

/* Is q dependent with item k of v, an event of another thread? */
static bool conflicts(struct search *s, const struct event *q, const struct forward *f, const struct sequence *v,
	struct use use, uint32_t k)
{
	const struct event *x = sequence_event(s, v, k);
	struct forward of_x;
	if (!events_dependent(q, x))
		return false;
	if (x->kind != EV_LOAD || q->kind == EV_LOAD)
		return buffer_dependent(q, f, x, &nothing);
	forward_in_sequence(s, v, k, use, &of_x);
	return buffer_dependent(q, f, x, &of_x);
}

bool weak_initial(struct search *s, const struct event *q, const struct forward *f, bool deadly, const struct sequence *v,
	struct use use, uint32_t *at)
{
	uint32_t n = sequence_length(v);
	struct forward now;
	if (f && f->any) { /* changes along v */
		now = *f;
		f = &now;
	} else {
		f = &nothing;
	}
	*at = NO_INDEX;
	for (uint32_t k = 0; k < n; k++) {
		if (!item_used(v, k, use))
			continue;
		const struct event *x = sequence_event(s, v, k);
		bool same = x->thread == q->thread;
		if (same || deadly || conflicts(s, q, f, v, use, k) || barrier_completes(s, q, v, use, k)) {
			*at = k;
			return same && x->alt == q->alt;
		}
		if (f->any)
			forward_over(&now, q, x);
	}
	return true;
}

struct sleeper *sleepers(struct search *s, uint32_t i)
{
	return (struct sleeper *)vec_data(s, &s->sleeps) + node_at(s, i)->sleep_at;
}

/* Is the sleeping event still the same in the state of node i? It is when independence was judged right; an
   arrival at a barrier may have become the last one. */
static bool unchanged(struct search *s, uint32_t i, const struct event *q)
{
	const struct node *n = node_at(s, i);
	const struct event *c = (struct event *)vec_data(s, &s->choices) + n->choice_at;
	for (uint32_t k = 0; k < n->choice_n; k++)
		if (c[k].thread == q->thread && c[k].alt == q->alt)
			return c[k].kind == q->kind && c[k].mode[0] == q->mode[0] && c[k].mode[1] == q->mode[1];
	return false;
}

bool sleepset_inherit(struct search *s, uint32_t i)
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
	const struct event *e = &node_at(s, i - 1)->ev;
	struct forward f;
	forward_unlinked(s, i - 1, &f);
	for (uint32_t k = 0; k < have; k++) {
		if (from[k].deadly || buffer_dependent(&from[k].ev, &from[k].forward, e, &f) ||
			!unchanged(s, i, &from[k].ev))
			continue;
		to[n->sleep_n] = from[k];
		forward_over(&to[n->sleep_n++].forward, &from[k].ev, e);
	}
	s->sleeps.n += n->sleep_n;
	return true;
}

void sleepset_oversleep(struct search *s, uint32_t i)
{
	struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < node_at(s, i)->sleep_n; k++)
		x[k].overslept = 1;
}

bool sleepset_add(struct search *s, uint32_t i)
{
	struct sleeper *x = vec_push(s, &s->sleeps, sizeof *x);
	if (!x)
		return false;
	struct node *n = node_at(s, i);
	x->ev = n->ev;
	x->deadly = n->deadly;
	forward_of_next(s, &n->ev, &x->forward); /* all before it is linked, and nothing else */
	n->sleep_n++;
	return true;
}

bool sleepset_has(struct search *s, uint32_t i, thread_id t, unsigned alt)
{
	const struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < node_at(s, i)->sleep_n; k++)
		if (x[k].ev.thread == t && x[k].ev.alt == alt)
			return true;
	return false;
}

bool sleepset_covers(struct search *s, uint32_t i, const struct sequence *v)
{
	uint32_t at;
	const struct sleeper *x = sleepers(s, i);
	for (uint32_t k = 0; k < node_at(s, i)->sleep_n; k++)
		if (weak_initial(s, &x[k].ev, &x[k].forward, x[k].deadly, v, USE_LEFT, &at) && (at != NO_INDEX || !x[k].overslept))
			return true;
	return false;
}
