/*
 * Names of objects that do not depend on the order of first uses.
 *
 * An object that was initialised by a call is named as the n-th one that its thread initialised: the same in all schedules that give the
 * thread the same past. Other objects are named by their address. It is the same in all schedules for objects outside of the heap, and for
 * those allocated before there was a second thread.
 */
#include "base/hash.h"
#include "sched/world_internal.h"

static uint64_t mix(uint64_t h)
{
	h = hash_spread(h);
	h ^= h >> 32;
	return h ? h : 1;
}

void object_named_by_init(struct world *w, struct wthread *t)
{
	struct object *x = world_obj(w, t->op.obj[0]);
	if ((event_kind_flags(t->op.kind) & K_INIT) && !x->name)
		x->name = mix(((uint64_t)x->kind << 58) + ((uint64_t)(t->id + 1) << 32) + ++t->inits);
}

uint64_t world_object_name(const void *world, object_id o)
{
	const struct world *w = world;
	if (object_is_memory(o))
		return mix(o); /* its address, see memory.h */
	if (!o || o > w->objects)
		return 0;
	const struct object *x = world_obj(w, o);
	return x->name ? x->name : mix(x->addr + ((uint64_t)x->kind << 58));
}
