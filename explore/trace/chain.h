/*
 * Chains: the events that touch one object, linked latest first.
 *
 * An event is linked into the chain of each of its objects: at most two, or every cell of the range of memory that it touches
 * (sched/memory.h). So a search for earlier events on one object visits only events on that object, however much memory other events touch
 * at once.
 */
#ifndef SIMUL_CHAIN_H
#define SIMUL_CHAIN_H

#include "explore/search.h"

/* chain_count: how many chains an event belongs to. chain_object: the object of the k-th chain (0: none, with k < 2). */
static inline uint32_t chain_count(const struct event *e)
{
	if (!object_is_memory(e->obj[0]))
		return 2;
	return e->obj[1] ? e->obj[1] - e->obj[0] + 1 : 1;
}
static inline object_id chain_object(const struct event *e, uint32_t k)
{
	return object_is_memory(e->obj[0]) ? e->obj[0] + k : e->obj[k];
}

/* How event e touches object o; M_NONE when it does not. */
static inline unsigned chain_mode(const struct event *e, object_id o)
{
	if (object_is_memory(e->obj[0]))
		return o - e->obj[0] < chain_count(e) ? e->mode[0] : M_NONE;
	return e->obj[0] == o ? e->mode[0] : e->obj[1] == o ? e->mode[1] : M_NONE;
}
/* The bytes of memory cell o that e touches, one bit each. e must touch o. */
unsigned chain_bytes(const struct event *e, object_id o);

/* Where the previous events on its objects are stored: in the node, or in s->trace.links when it touches more than two cells. */
static inline uint32_t *chain_prevs(struct search *s, struct node *n)
{
	return chain_count(&n->ev) <= 2 ? n->obj_prev : (uint32_t *)vec_data(&s->core, &s->trace.links) + n->obj_prev[0];
}

/* Links node i, the latest, into its chains. Returns false when memory is used up. chains_unlink removes it again. */
bool chains_link(struct search *s, uint32_t i);
void chains_unlink(struct search *s, uint32_t i);

/* object_last: index + 1 of the latest event on the object. object_prev: index + 1 of the event on it before event i, which must touch it.
   Both return 0 when there is no such event. */
uint32_t object_last(struct search *s, object_id o);
static inline uint32_t object_prev(struct search *s, uint32_t i, object_id o)
{
	struct node *n = node_at(s, i);
	uint32_t k = object_is_memory(n->ev.obj[0]) ? o - n->ev.obj[0] : n->ev.obj[0] != o;
	return chain_prevs(s, n)[k];
}
/* How event i touches object o. */
static inline unsigned object_mode(struct search *s, uint32_t i, object_id o)
{
	return chain_mode(&node_at(s, i)->ev, o);
}

#endif
