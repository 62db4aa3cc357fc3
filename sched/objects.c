/* The objects of a world: found by (kind, address), numbered by first use. */
#include <string.h>

#include "base/check.h"
#include "base/hash.h"
#include "base/table.h"
#include "sched/world_internal.h"

static uint64_t hash_of(unsigned kind, uint64_t addr)
{
	uint64_t h = hash_spread(addr ^ ((uint64_t)kind << 56));
	return h ^ (h >> 29);
}

/* The slot of (kind, addr), or the free slot for it. */
static object_id *slot_of(const struct world *w, unsigned kind, uint64_t addr)
{
	return &w->hash[TABLE_SLOT(i, hash_of(kind, addr), w->hash_cap,
		!w->hash[i] || (w->object[w->hash[i]]->kind == kind && w->object[w->hash[i]]->addr == addr))];
}

static void grow_hash(struct world *w)
{
	uint32_t cap = w->hash_cap ? w->hash_cap * 2 : 256;
	object_id *old = w->hash;
	uint32_t old_cap = w->hash_cap;
	object_id *new = world_alloc(w, cap * sizeof *new);
	w->hash = new;
	w->hash_cap = cap;
	for (uint32_t i = 0; i < old_cap; i++)
		if (old[i])
			*slot_of(w, w->object[old[i]]->kind, w->object[old[i]]->addr) = old[i];
	world_free(w, old, old_cap * sizeof *old);
}

static void grow_table(struct world *w)
{
	uint32_t cap = w->object_cap ? w->object_cap * 2 : 128;
	struct object **new = world_alloc(w, cap * sizeof *new);
	if (w->object)
		memcpy(new, w->object, w->object_cap * sizeof *new);
	world_free(w, w->object, w->object_cap * sizeof *new);
	w->object = new;
	w->object_cap = cap;
}

static void initial_state(struct object *x)
{
	switch ((enum object_kind)x->kind) {
	case OBJ_MUTEX:
	case OBJ_SPIN:
		x->mutex.owner = NO_THREAD;
		break;
	case OBJ_RWLOCK:
		x->rwlock.writer = x->rwlock.claim = NO_THREAD;
		break;
	case OBJ_NONE:
	case OBJ_THREAD:
	case OBJ_COND:
	case OBJ_SEM:
	case OBJ_BARRIER:
	case OBJ_ONCE:
	case OBJ_FUTEX:
	case OBJ_FD:
	case OBJ_PROCESS:
	case OBJ_MEMORY:
	case OBJ_COUNT:
		break;
	}
}

static object_id add_object(struct world *w, unsigned kind, uint64_t addr, object_id *slot)
{
	if (w->objects + 1 >= w->object_cap)
		grow_table(w);
	struct object *x = world_alloc(w, sizeof *x);
	x->kind = (uint8_t)kind;
	x->addr = addr;
	x->number = ++w->number[kind];
	x->id = ++w->objects;
	initial_state(x);
	w->object[x->id] = x;
	*slot = x->id;
	return x->id;
}

object_id world_object(struct world *w, enum object_kind kind, uint64_t addr)
{
	if (w->objects * 2 >= w->hash_cap)
		grow_hash(w);
	object_id *slot = slot_of(w, kind, addr);
	return *slot ? *slot : add_object(w, kind, addr, slot);
}

object_id world_find(const struct world *w, enum object_kind kind, uint64_t addr)
{
	return w->hash_cap ? *slot_of(w, kind, addr) : 0;
}

object_id world_renew(struct world *w, enum object_kind kind, uint64_t addr)
{
	if (w->objects * 2 >= w->hash_cap)
		grow_hash(w);
	object_id *slot = slot_of(w, kind, addr);
	if (*slot && (kind == OBJ_MUTEX || kind == OBJ_SPIN)) /* no thread can release the old one any more */
		mutex_forget_owner(w, world_obj(w, *slot));
	if (*slot && kind == OBJ_RWLOCK)
		rwlock_forget_holders(w, world_obj(w, *slot));
	return add_object(w, kind, addr, slot);
}

unsigned world_object_count(const struct world *w)
{
	return w->objects;
}

uint64_t world_object_address(const struct world *w, object_id o)
{
	return o && o <= w->objects ? world_obj(w, o)->addr : 0;
}

bool world_object_info(const struct world *w, object_id o, struct object_info *out)
{
	if (!o || o > w->objects)
		return false;
	const struct object *x = world_obj(w, o);
	*out = (struct object_info){ .kind = x->kind, .number = x->number, .addr = x->addr, .pc = x->pc,
		.owner = NO_THREAD, .destroyed = x->destroyed };
	if (x->kind == OBJ_MUTEX || x->kind == OBJ_SPIN)
		out->owner = x->mutex.owner;
	if (x->kind == OBJ_RWLOCK)
		out->owner = x->rwlock.writer;
	if (x->kind == OBJ_ONCE) {
		out->owner = x->once.phase == ONCE_RUNNING ? x->once.runner : NO_THREAD;
		out->done = x->once.phase == ONCE_FINISHED;
	}
	if (x->kind == OBJ_BARRIER)
		out->idle = x->barrier.count && !x->barrier.arrived;
	out->held = out->owner != NO_THREAD || (x->kind == OBJ_RWLOCK && x->rwlock.readers);
	return true;
}
