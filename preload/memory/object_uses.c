/* Uses of synchronisation objects; see object_uses.h. */
#include "preload/memory/object_uses.h"

#include "preload/base/state.h"
#include "preload/base/thread.h"
#include "preload/memory/shadow_list.h"
#include "sched/hb.h"
#include "preload/base/rules.h"

#define LINE 64u /* bytes of the heap that share a bucket */
#define BUCKETS 256u

/* The latest use of an object by one thread. */
struct use {
	struct use *next;
	uint32_t epoch;
	thread_id thread;
};

struct used_object {
	struct used_object *next; /* in its bucket */
	struct use *uses;         /* the running thread's is first, if it used the object last */
	uint64_t addr;
	object_id id;
};

static struct used_object *bucket[BUCKETS];
static unsigned n_objects;
static struct used_object **by_object; /* by object_id; NULL: not used yet */
static uint32_t by_object_cap;

static unsigned bucket_of(uint64_t addr)
{
	return addr / LINE % BUCKETS;
}

static void grow(object_id o)
{
	uint32_t cap = by_object_cap ? by_object_cap : 64;
	while (cap <= o)
		cap *= 2;
	struct used_object **bigger = ctl_alloc(cap * sizeof *bigger);
	for (uint32_t i = 0; i < by_object_cap; i++)
		bigger[i] = by_object[i];
	if (by_object)
		ctl_free(by_object, by_object_cap * sizeof *by_object);
	by_object = bigger;
	by_object_cap = cap;
}

static struct used_object *add_object(object_id o, uint64_t addr)
{
	if (o >= by_object_cap)
		grow(o);
	struct used_object *x = ctl_alloc(sizeof *x), **link = &bucket[bucket_of(addr)];
	*x = (struct used_object){ .next = *link, .addr = addr, .id = o };
	*link = x;
	n_objects++;
	return by_object[o] = x;
}

/* Puts the use of this thread first; it is not the first one. */
static void change_user(struct used_object *x, thread_id t)
{
	struct use **link = &x->uses, *u;
	while ((u = *link) && u->thread != t)
		link = &u->next;
	if (u) {
		*link = u->next;
	} else {
		u = ctl_alloc(sizeof *u);
		u->thread = t;
	}
	u->next = x->uses;
	x->uses = u;
}

void object_uses_note(object_id o, uint64_t addr)
{
	struct used_object *x = o < by_object_cap ? by_object[o] : NULL;
	thread_id t = fiber_cur->id;
	if (!x)
		x = add_object(o, addr);
	if (!x->uses || x->uses->thread != t)
		change_user(x, t);
	x->uses->epoch = hb_epoch(ctl_hb, t);
}

void object_uses_share(uint64_t addr)
{
	shadow_discover(addr & ~UINT64_C(7), 0xfu << (addr & 4));
}

/* Compares a free of the object's memory with its uses, and forgets the object. */
static void freed(struct used_object *x)
{
	thread_id me = fiber_cur->id;
	for (struct use *u = x->uses, *next; u; u = next) {
		next = u->next;
		if (u->thread != me && u->epoch > hb_seen(ctl_hb, me, u->thread))
			object_uses_share(x->addr);
		ctl_free(u, sizeof *u);
	}
	by_object[x->id] = NULL;
	n_objects--;
	ctl_free(x, sizeof *x);
}

static void freed_in(unsigned b, uint64_t lo, uint64_t hi)
{
	for (struct used_object **link = &bucket[b], *x; (x = *link);) {
		if (x->addr - lo >= hi - lo) {
			link = &x->next;
			continue;
		}
		*link = x->next;
		freed(x);
	}
}

void object_uses_freed(const void *p, size_t size)
{
	uint64_t lo = (uintptr_t)p, hi = lo + size;
	if (!n_objects)
		return;
	if (size >= LINE * BUCKETS) {
		for (unsigned b = 0; b < BUCKETS; b++)
			freed_in(b, lo, hi);
	} else {
		for (uint64_t line = lo / LINE; line <= (hi - 1) / LINE; line++)
			freed_in(line % BUCKETS, lo, hi);
	}
}
