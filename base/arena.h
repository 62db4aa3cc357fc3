/*
 * A bump allocator over one region of memory that somebody else owns.
 *
 * The whole state is `struct arena`, which lies at the start of its own region, so an arena in a
 * shared mapping can be continued by another process that maps the region elsewhere: everything is
 * addressed by 32-bit references in units of 8 bytes from the start of the region (0 = none).
 * Nothing here calls the system, takes a lock or allocates; running out is reported, never fatal.
 */
#ifndef SIMUL_ARENA_H
#define SIMUL_ARENA_H

#include <stddef.h>
#include <stdint.h>

#define ARENA_CLASSES 32

typedef uint32_t aref; /* reference into an arena, in 8-byte units; 0 means none */

struct arena {
	uint64_t size;              /* bytes of the region, this header included */
	uint64_t used;              /* bytes handed out so far, never more than size */
	uint64_t peak;              /* largest `used` minus freed bytes */
	uint64_t freed;             /* bytes on the free lists */
	aref free[ARENA_CLASSES];   /* one list per power-of-two size class */
	uint32_t exhausted;         /* 1 once an allocation has failed */
	uint32_t pad_;
};

/* Makes an empty arena in `region` (8-byte aligned, at least sizeof(struct arena) bytes). */
struct arena *arena_init(void *region, uint64_t size);

/* `size` zeroed bytes, 8-byte aligned; 0 when the region is used up (sets `exhausted`). */
aref arena_alloc(struct arena *a, uint64_t size);

/* Gives back what arena_alloc(a, size) returned; `size` must be the same. ref 0 is ignored. */
void arena_free(struct arena *a, aref ref, uint64_t size);

static inline void *arena_ptr(struct arena *a, aref ref)
{
	return ref ? (char *)a + (uint64_t)ref * 8 : NULL;
}

#endif
