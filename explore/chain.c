/* The events on one object: see chain.h. */
#include "explore/chain.h"

#define PAGE_CELLS 256u /* see object ids in sched/memory.h */

unsigned chain_mode(const struct event *e, object_id o)
{
	if (object_is_memory(e->obj[0]))
		return o - e->obj[0] < chain_count(e) ? e->mode[0] : M_NONE;
	return e->obj[0] == o ? e->mode[0] : e->obj[1] == o ? e->mode[1] : M_NONE;
}

unsigned chain_bytes(const struct event *e, object_id o)
{
	unsigned first = 0, last = 15;
	if (!object_is_memory(o))
		return ~0u;
	if (o == e->obj[0] || !object_is_memory(e->obj[0]))
		first = e->span & 15;
	if (o == e->obj[1] || !e->obj[1])
		last = e->span >> 4;
	return (0xffffu << first) & (0xffffu >> (15 - last));
}

/* Where index + 1 of the last event on object o is kept; NULL when there was none yet. */
static uint32_t *last_at(struct search *s, object_id o)
{
	if (!object_is_memory(o))
		return o < s->last_on.n ? (uint32_t *)vec_data(s, &s->last_on) + o : NULL;
	uint32_t page = (o & ~OBJECT_MEMORY) / PAGE_CELLS;
	aref r = page < s->pages.n ? ((aref *)vec_data(s, &s->pages))[page] : 0;
	return r ? (uint32_t *)arena_ptr(search_arena_of(s), r) + o % PAGE_CELLS : NULL;
}

/* Makes room for it. */
static bool make_last(struct search *s, object_id o)
{
	while (!object_is_memory(o) && s->last_on.n <= o)
		if (!vec_push(s, &s->last_on, sizeof(uint32_t)))
			return false;
	uint32_t page = (o & ~OBJECT_MEMORY) / PAGE_CELLS;
	while (object_is_memory(o) && s->pages.n <= page)
		if (!vec_push(s, &s->pages, sizeof(aref)))
			return false;
	if (!last_at(s, o))
		((aref *)vec_data(s, &s->pages))[page] = search_alloc(s, PAGE_CELLS * sizeof(uint32_t));
	return !s->failed;
}

/* Where the previous events on its objects are kept: in the node, or when it touches many cells among s->links. */
static uint32_t *prevs(struct search *s, struct node *n)
{
	return chain_count(&n->ev) <= 2 ? n->obj_prev : (uint32_t *)vec_data(s, &s->links) + n->obj_prev[0];
}

bool chains_link(struct search *s, uint32_t i)
{
	const struct event *e = &node_at(s, i)->ev;
	uint32_t count = chain_count(e);
	if (count > 2) {
		node_at(s, i)->obj_prev[0] = s->links.n;
		if (!vec_reserve(s, &s->links, s->links.n + count, sizeof(uint32_t)))
			return false;
		s->links.n += count;
	}
	uint32_t *prev = prevs(s, node_at(s, i));
	for (uint32_t k = 0; k < count; k++) {
		object_id o = chain_object(e, k);
		if (o && !last_at(s, o) && !make_last(s, o))
			return false;
		uint32_t *last = o ? last_at(s, o) : NULL;
		prev[k] = last ? *last : 0;
		if (last)
			*last = i + 1;
	}
	return true;
}

void chains_unlink(struct search *s, uint32_t i)
{
	struct node *n = node_at(s, i);
	uint32_t count = chain_count(&n->ev);
	const uint32_t *prev = prevs(s, n);
	for (uint32_t k = 0; k < count; k++)
		if (chain_object(&n->ev, k))
			*last_at(s, chain_object(&n->ev, k)) = prev[k];
	if (count > 2)
		s->links.n = n->obj_prev[0];
}

uint32_t object_last(struct search *s, object_id o)
{
	const uint32_t *last = o ? last_at(s, o) : NULL;
	return last ? *last : 0;
}

uint32_t object_prev(struct search *s, uint32_t i, object_id o)
{
	struct node *n = node_at(s, i);
	uint32_t k = object_is_memory(n->ev.obj[0]) ? o - n->ev.obj[0] : n->ev.obj[0] != o;
	return prevs(s, n)[k];
}

unsigned object_mode(struct search *s, uint32_t i, object_id o)
{
	return chain_mode(&node_at(s, i)->ev, o);
}
