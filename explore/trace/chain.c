/* The events on one object: see chain.h. */
#include "explore/trace/chain.h"

#define PAGE_CELLS 256u /* see the object ids in sched/memory.h */

unsigned chain_bytes(const struct event *e, object_id o)
{
	unsigned first = 0, last = 15;
	if (o == e->obj[0] || !object_is_memory(e->obj[0]))
		first = e->span & 15;
	if (o == e->obj[1] || !e->obj[1])
		last = e->span >> 4;
	return (0xffffu << first) & (0xffffu >> (15 - last));
}

/* Where index + 1 of the latest event on object o is stored; NULL when there was none yet. */
static uint32_t *last_at(struct search *s, object_id o)
{
	if (!object_is_memory(o))
		return o < s->trace.last_on.n ? (uint32_t *)vec_data(&s->core, &s->trace.last_on) + o : NULL;
	uint32_t page = (o & ~OBJECT_MEMORY) / PAGE_CELLS;
	aref r = page < s->trace.pages.n ? ((aref *)vec_data(&s->core, &s->trace.pages))[page] : 0;
	return r ? (uint32_t *)arena_ptr(core_arena(&s->core), r) + o % PAGE_CELLS : NULL;
}

/* Makes that place. Returns false when memory is used up. */
static bool make_last(struct search *s, object_id o)
{
	while (!object_is_memory(o) && s->trace.last_on.n <= o)
		if (!vec_push(&s->core, &s->trace.last_on, sizeof(uint32_t)))
			return false;
	uint32_t page = (o & ~OBJECT_MEMORY) / PAGE_CELLS;
	while (object_is_memory(o) && s->trace.pages.n <= page)
		if (!vec_push(&s->core, &s->trace.pages, sizeof(aref)))
			return false;
	if (!last_at(s, o))
		((aref *)vec_data(&s->core, &s->trace.pages))[page] = core_alloc(&s->core, PAGE_CELLS * sizeof(uint32_t));
	return !s->core.failed;
}

bool chains_link(struct search *s, uint32_t i)
{
	const struct event *e = &node_at(s, i)->ev;
	uint32_t count = chain_count(e);
	if (count > 2) {
		node_at(s, i)->obj_prev[0] = s->trace.links.n;
		if (!vec_reserve(&s->core, &s->trace.links, s->trace.links.n + count, sizeof(uint32_t)))
			return false;
		s->trace.links.n += count;
	}
	uint32_t *prev = chain_prevs(s, node_at(s, i));
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
	const uint32_t *prev = chain_prevs(s, n);
	for (uint32_t k = 0; k < count; k++)
		if (chain_object(&n->ev, k))
			*last_at(s, chain_object(&n->ev, k)) = prev[k];
	if (count > 2)
		s->trace.links.n = n->obj_prev[0];
}

uint32_t object_last(struct search *s, object_id o)
{
	const uint32_t *last = o ? last_at(s, o) : NULL;
	return last ? *last : 0;
}
