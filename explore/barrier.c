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

/* Arrivals of the round that runs in the state of node i. */
static uint32_t arrived(struct search *s, object_id o, uint32_t i)
{
	uint32_t n = 0;
	for (uint32_t at = object_last(s, o); at; at = object_prev(s, at - 1, o)) {
		unsigned m = object_mode(s, at - 1, o);
		if (at > i)
			continue;
		if (m == M_LAST || m == M_WRITE)
			break;
		n += m == M_ARRIVE;
	}
	return n;
}

bool barrier_completes(struct search *s, const struct event *q, const struct sequence *v, struct use use, uint32_t k)
{
	const struct event *x = sequence_event(s, v, k);
	object_id o = q->obj[0];
	if (q->mode[0] != M_ARRIVE || x->mode[0] != M_ARRIVE || x->obj[0] != o)
		return false;
	uint32_t size = barrier_size(s, o), n = arrived(s, o, v->start) + 1;
	for (uint32_t m = 0; m <= k; m++) {
		const struct event *e = sequence_event(s, v, m);
		n += (v->state[m] >= ITEM_MET || item_used(v, m, use)) && e->mode[0] == M_ARRIVE && e->obj[0] == o;
	}
	return n >= size;
}
