/* Memory of a search: growable arrays in its arena. */
#include "explore/search.h"

#include <string.h>

#include "base/check.h"

static aref checked_alloc(struct core *s, struct arena *a, uint64_t size)
{
	aref r = arena_alloc(a, size);
	if (!r) {
		s->stats.out_of_memory = 1;
		s->failed = 1;
	}
	return r;
}

aref core_alloc(struct core *s, uint64_t size)
{
	return checked_alloc(s, core_arena(s), size);
}

aref tree_alloc(struct core *s, uint64_t size)
{
	return checked_alloc(s, tree_arena_of(s), size);
}

bool vec_grow(struct core *s, struct vec *v, uint32_t n, uint32_t size)
{
	uint32_t cap = v->cap ? v->cap : 16;
	INVARIANT(!v->cap || v->size == size, "an array of elements of %u bytes is used for others of %u", v->size, size);
	while (cap < n)
		cap *= 2;
	aref data = core_alloc(s, (uint64_t)cap * size);
	if (!data)
		return false;
	if (v->data) {
		memcpy(arena_ptr(core_arena(s), data), vec_data(s, v), (uint64_t)v->n * size);
		arena_free(core_arena(s), v->data, (uint64_t)v->cap * size);
	}
	v->data = data;
	v->cap = cap;
	v->size = size;
	return true;
}
