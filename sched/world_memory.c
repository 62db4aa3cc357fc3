/* Memory of the world: blocks of its arena. */
#include "base/check.h"
#include "sched/world_internal.h"

void *world_alloc(struct world *w, uint64_t size)
{
	void *p = arena_ptr(w->arena, arena_alloc(w->arena, size));
	INVARIANT(p, "the world's arena is used up");
	return p;
}

void world_free(struct world *w, void *p, uint64_t size)
{
	if (p)
		arena_free(w->arena, (aref)(((char *)p - (char *)w->arena) / 8), size);
}
