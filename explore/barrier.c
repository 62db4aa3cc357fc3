/* Which arrivals at a barrier are independent: see barrier.h. */
#include "explore/barrier.h"

#include "explore/chain.h"

uint32_t barrier_size(struct search *s, object_id o)
{
	uint32_t at = object_last(s, o), n = 0;
	while (at && object_mode(s, at - 1, o) != M_LAST)
		at = object_prev(s, at - 1, o);
	if (!at)
		return UINT32_MAX;
	for (at = object_prev(s, at - 1, o), n = 1; at; at = object_prev(s, at - 1, o)) {
		unsigned m = object_mode(s, at - 1, o);
		if (m == M_LAST || m == M_WRITE)
			break;
		n += m == M_ARRIVE;
	}
	return n;
}

/* index + 1 of the latest event on o before node i; 0: none. Walks back from the end of the chain and from i at the same time, since
   either way may be the long one. */
static uint32_t last_before(struct search *s, object_id o, uint32_t i)
{
	uint32_t at = object_last(s, o);
	for (uint32_t k = i; at > i && k; at = object_prev(s, at - 1, o))
		if (object_mode(s, --k, o) != M_NONE)
			return k + 1;
	return at > i ? 0 : at;
}

/* Counts the arrivals of the current round in the state of node i. */
static uint32_t arrived(struct search *s, object_id o, uint32_t i)
{
	uint32_t n = 0;
	for (uint32_t at = last_before(s, o, i); at; at = object_prev(s, at - 1, o)) {
		unsigned m = object_mode(s, at - 1, o);
		if (m == M_LAST || m == M_WRITE)
			break;
		n += m == M_ARRIVE;
	}
	return n;
}

bool barrier_completes(struct search *s, const struct event *q, const struct sequence *v, struct use use, uint32_t k, struct barrier_round *r)
{
	const struct event *x = sequence_event(s, v, k);
	object_id o = q->obj[0];
	if (q->mode[0] != M_ARRIVE || x->mode[0] != M_ARRIVE || x->obj[0] != o)
		return false;
	if (!r->size) {
		r->size = barrier_size(s, o);
		r->arrived = arrived(s, o, v->start) + 1;
	}
	for (; r->items <= k; r->items++) {
		const struct event *e = sequence_event(s, v, r->items);
		r->arrived += (v->state[r->items] >= ITEM_MET || item_used(v, r->items, use)) && e->mode[0] == M_ARRIVE && e->obj[0] == o;
	}
	return r->arrived >= r->size;
}
