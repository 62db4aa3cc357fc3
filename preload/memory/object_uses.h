/*
 * Which threads used the synchronisation objects of the heap, and when. A use and a free of the block that nothing orders conflict. They make the
 * first bytes of the object visible from the next execution on (memory.h), like any two accesses that conflict. So a call costs a store or two, and
 * only a free compares.
 */
#ifndef SIMUL_OBJECT_USES_H
#define SIMUL_OBJECT_USES_H

#include <stddef.h>

#include "sched/event.h"

#define OBJECT_WORD 4u /* the bytes of an object that stand for all of it; each object has that many, and begins at a multiple of it */

/* Records that the running thread uses object o, which lies at addr on the heap. Inside simul. */
void object_uses_note(object_id o, uint64_t addr);
/* Compares the free of [p, p + size), which the running thread makes now, with the uses of the objects in it, and forgets these. */
void object_uses_freed(const void *p, size_t size);
/* Makes the object at addr visible from the next execution on. */
void object_uses_share(uint64_t addr);

#endif
