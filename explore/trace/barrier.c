/* Which arrivals at a barrier are independent: see barrier.h. */
#include "explore/trace/barrier.h"

#include "explore/trace/chain.h"
#include "explore/trace/feasible.h"

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

/* MEETs of the round that runs in the state of node i. */
static uint32_t met_before(struct search *s, object_id o, uint32_t i, uint32_t size)
{
	uint32_t n = 0, round = 0;
	for (uint32_t at = last_before(s, o, i); at; at = object_prev(s, at - 1, o)) {
		const struct event *e = &node_at(s, at - 1)->ev;
		unsigned m = object_mode(s, at - 1, o);
		if (m == M_WRITE || (m == M_MEET && round && e->seq != round))
			break;
		if (m == M_MEET)
			round = e->seq;
		n += m == M_MEET;
	}
	return n % size;
}

/* Returns whether item k is the last one of its round when q comes after it. A q that comes before it takes its place. */
static bool takes_place(struct search *s, const struct event *q, const struct sequence *v, struct use use, uint32_t k, struct barrier_round *r)
{
	object_id o = q->obj[0];
	const struct event *x = sequence_event(s, v, k);
	if (x->mode[0] != M_MEET || x->obj[0] != o || q->result <= 0)
		return false;
	if (!r->size) {
		r->size = (uint32_t)q->result;
		r->arrived = met_before(s, o, v->start, r->size);
	}
	for (; r->items <= k; r->items++) {
		const struct event *e = sequence_event(s, v, r->items);
		r->arrived += (v->state[r->items] >= ITEM_MET || item_used(v, r->items, use)) && e->mode[0] == M_MEET && e->obj[0] == o;
	}
	return r->arrived % r->size == 0;
}

uint32_t barrier_end(struct search *s, const struct cut *c, object_id o)
{
	bool passes = c->self != NO_INDEX && object_mode(s, c->self, o) == M_PASS;
	return passes ? c->self + 1 : object_last(s, o);
}

bool barrier_met(struct search *s, const struct cut *c, object_id o, uint32_t round)
{
	uint32_t n = 0, size = 0;
	for (uint32_t at = barrier_end(s, c, o); at; at = object_prev(s, at - 1, o)) {
		const struct event *e = &node_at(s, at - 1)->ev;
		unsigned m = object_mode(s, at - 1, o);
		s->trace.walked++;
		if (m == M_LAST || (m == M_MEET && e->seq < round))
			break; /* a barrier with a LAST has no MEET */
		if (m != M_MEET || e->seq > round)
			continue;
		size = (uint32_t)e->result;
		n += !cut_removes(s, c, at - 1);
	}
	return size && n == size;
}

uint32_t barrier_round_left(struct search *s, const struct cut *c, object_id o, const struct event *e)
{
	uint32_t n = 0, round = 0, first = e->seq;
	for (uint32_t at = object_last(s, o); at; at = object_prev(s, at - 1, o)) {
		unsigned m = object_mode(s, at - 1, o);
		uint32_t seq = node_at(s, at - 1)->ev.seq;
		bool left = !cut_removes(s, c, at - 1);
		if (m == M_WRITE && left)
			break;
		if (m != M_MEET)
			continue;
		first = seq < first ? seq : first;
		if (!left)
			continue;
		if (round && seq != round)
			break;
		round = seq;
		n++;
	}
	return !round ? first : n >= (uint32_t)e->result ? round + 1 : round;
}

bool barrier_completes(struct search *s, const struct event *q, const struct sequence *v, struct use use, uint32_t k, struct barrier_round *r)
{
	const struct event *x = sequence_event(s, v, k);
	object_id o = q->obj[0];
	if (q->mode[0] == M_MEET)
		return takes_place(s, q, v, use, k, r);
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
