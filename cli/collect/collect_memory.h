/* The memory that the steps of a recording touch: an object for each different range, with a name. */
#ifndef SIMUL_COLLECT_MEMORY_H
#define SIMUL_COLLECT_MEMORY_H

#include "cli/segment/segment.h"
#include "recorder/recording.h"
#include "recorder/symbols.h"

/* Where a range was accessed: a few different places are enough to find out what the source calls it. */
struct memory_use {
	uint64_t pc[4];
	bool write[4];
	unsigned n;
};

struct memory_objects {
	struct recording *r;   /* its objects grow */
	size_t first;          /* index of the first one of ours */
	size_t n, buckets;     /* how many; a power of two, or 0 */
	object_id *bucket;     /* id by address and size; 0: free */
	struct memory_use *use; /* by index - first */
};

/* All other objects are in the recording already. */
void memory_objects_begin(struct memory_objects *m, struct recording *r);

/* The object of the memory that the operation touches, made when new; 0 when it touches none. `pages` are those in which
   it names memory. */
object_id memory_objects_use(struct memory_objects *m, const struct rec_memory *pages, const struct event *e);

/* Gives names to all. */
void memory_objects_name(struct memory_objects *m, struct symbols *s);
void memory_objects_end(struct memory_objects *m);

/* What the memory is called; `use` may be NULL. NULL: nothing is known. malloc()ed. */
char *memory_name_of(struct symbols *s, uint64_t addr, uint32_t size, const struct memory_use *use);

/* Has the symboliser know the state of the C library as what it is, and not as what debug information calls it. */
void memory_names_add(struct symbols *s, const struct segment *seg);

/* Notes a place where it was accessed. */
void memory_use_note(struct memory_use *u, uint64_t pc, bool write);

#endif
