/*
 * A bump allocator over one region of memory that the caller owns.
 *
 * The whole state is `struct arena`, at the start of its own region. References are 32-bit, in units of 8 bytes from the start
 * of the region (0: none), so another process can map a shared region at another address and continue to use it.
 * No function makes a system call, takes a lock or allocates. Running out of memory is reported and never fatal.
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
	uint32_t clean;             /* 1: what is not handed out yet holds zeros */
};

/* Makes an empty arena in `region` (8-byte aligned, at least sizeof(struct arena) bytes). */
struct arena *arena_init(void *region, uint64_t size);

/* Says that the region held only zeros before arena_init. Then memory is not cleared when it is first handed out.
   Clearing brings pages into memory that may never be used. */
void arena_clean(struct arena *a);

/* Returns a reference to `size` zeroed bytes, 8-byte aligned, or 0 when the region is used up (sets `exhausted`). */
aref arena_alloc(struct arena *a, uint64_t size);

/* Frees what arena_alloc(a, size) returned; `size` must be the same. Ignores ref 0. */
void arena_free(struct arena *a, aref ref, uint64_t size);

/* Returns the address of `ref` in this process; NULL if `ref` is 0. */
static inline void *arena_ptr(struct arena *a, aref ref)
{
	return ref ? (char *)a + (uint64_t)ref * 8 : NULL;
}

#endif
