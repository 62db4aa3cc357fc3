/* The memory that the steps of a recording access: one named object for each distinct range. */
#ifndef SIMUL_COLLECT_MEMORY_H
#define SIMUL_COLLECT_MEMORY_H

#include "cli/segment/segment.h"
#include "recorder/recording.h"
#include "recorder/symbols/symbols.h"

/* Places where a range was accessed. A few distinct ones suffice to find its name in the source. */
struct memory_use {
	uint64_t pc[4];
	bool write[4];
	unsigned n;
	uint32_t step; /* the first event that accesses it; the number of events: only a pending operation does */
};

struct collecting;

struct memory_objects {
	struct recording *r;   /* its objects grow */
	size_t first;          /* index of the first memory object */
	size_t n, buckets;     /* how many; a power of two, or 0 */
	object_id *bucket;     /* id by address and size; 0: free */
	struct memory_use *use; /* by index - first */
};

/* Call it when all other objects are already in the recording. */
void memory_objects_begin(struct memory_objects *m, struct recording *r);

/* Returns the object for the memory that the operation accesses, created if new; 0 if it accesses none. `pages`: the pages in which the
   operation names memory. `step`: the index of the event; for a pending operation, the number of events. Call it in the order of the events. */
object_id memory_objects_use(struct memory_objects *m, const struct rec_memory *pages, const struct event *e, uint32_t step);

/* Names all of them. c->symbols is not NULL. */
void memory_objects_name(struct memory_objects *m, const struct collecting *c);
void memory_objects_end(struct memory_objects *m);

/* Returns the name of the memory; `use` may be NULL. NULL: unknown. malloc()ed. */
char *memory_name_of(struct symbols *s, uint64_t addr, uint32_t size, const struct memory_use *use);

/* Registers the state of the C library with the symboliser, so that it gets its proper name instead of the one in the debug information. */
void memory_names_add(struct symbols *s, const struct segment *seg);

/* Records a place where the memory was accessed. */
void memory_use_note(struct memory_use *u, uint64_t pc, bool write);

#endif
