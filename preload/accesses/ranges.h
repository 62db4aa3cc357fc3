/*
 * What the hooks of functions on bytes and strings tell of the memory that they read and write (mem.h).
 *
 * A range is told before it is read or written. Where some of it is visible to the search that is a scheduling point: other
 * threads run there and may change what the function is about to read. So
 *  - how far a function reads must not rest on visible bytes that it has not told: strings are then read bit by bit (struct
 *    reader), each bit as it is when it is told;
 *  - what was read is kept while something else is told (struct kept). More than KEPT bytes are done piece by piece, or read
 *    again later.
 */
#ifndef SIMUL_RANGES_H
#define SIMUL_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "preload/control/ctl.h"
#include "preload/accesses/mem.h"

#define KEPT 256u

/* Is the caller program code whose accesses count? */
static inline bool watched(void)
{
	return __builtin_expect(mem_on, 0) && !ctl_inside;
}

/* Tells a read of p[0..n). true: others may have run. */
bool range_read(const void *p, size_t n, uintptr_t pc);

/* What is read now, for use after another scheduling point. */
struct kept {
	char bytes[KEPT];
};
/* p[0..n) as it is now: a copy, or p itself when there is more of it than KEPT. */
const void *range_keep(struct kept *k, const void *p, size_t n);

/* to[0..n) = from[0..n), which may overlap; both are told. Returns `to`, like memcpy. */
void *range_copy(void *to, const void *from, size_t n, uintptr_t pc);
/* The same with more MEM_* flags for the accesses. */
void *range_copy_as(void *to, const void *from, size_t n, unsigned flags, uintptr_t pc);
/* The same for bytes whose reading has been told. */
void range_put(void *to, const void *from, size_t n, uintptr_t pc);
void *range_set(void *to, int c, size_t n, uintptr_t pc);
void *range_set_as(void *to, int c, size_t n, unsigned flags, uintptr_t pc);

/* Tells a read of p[0..n), which was found out by looking at these bytes. false: they are what they seemed. true: some
   are visible; whoever looked must read them again, by a reader. */
bool range_peeked(const void *p, size_t n, uintptr_t pc);

/* Reads p[0..limit) from the beginning, byte by byte, when range_peeked was true for the first `noted` bytes. */
struct reader {
	const char *p;
	size_t limit, noted;
	uintptr_t pc;
	size_t lo, hi; /* bytes lo .. hi - 1 were told together, and were: */
	char bytes[16];
};
struct reader range_reader(const void *p, size_t limit, size_t noted, uintptr_t pc);
unsigned char reader_byte(struct reader *r, size_t k);

/* Length of a string of at most n units of `unit` bytes (1 or 4): tells all that is read, the terminator too. *data: what
   was read, in k when it has to be kept; s itself otherwise. k and data may be NULL. */
size_t range_string(const void *s, size_t n, size_t unit, uintptr_t pc, struct kept *k, const void **data);

/* Tells an access by MEM_* flags that somebody else makes right after; MEM_PLAIN unless they say MEM_ATOMIC. */
void range_touch(const void *p, size_t n, unsigned flags, uintptr_t pc);
/* Does the search know some of these bytes as shared? */
bool range_is_shared(const void *p, size_t n);

/* The same for n pieces, and for the array that says where they are: they are read; they will be written, as far as they are known as shared;
   `got` bytes of them were, outside of what is. */
void range_vectors_read(const struct iovec *v, size_t n, uintptr_t pc);
void range_vectors_write(const struct iovec *v, size_t n, uintptr_t pc);
void range_vectors_written(const struct iovec *v, size_t n, ssize_t got, uintptr_t pc);

/* A call that writes memory in the course of an event of its own. Where that is shared, what the call delivers goes to a place of ours first, and
   from there to the program's memory once that is reported. `at`: where to have it written. */
struct landing {
	void *to, *at;
	size_t n;
	bool told;
	char bytes[KEPT];
};
void *landing_begin(struct landing *l, void *to, size_t n, uintptr_t pc);
/* The call has delivered `got` bytes (0 or less: none). Outside simul. */
void landing_end(struct landing *l, ssize_t got, uintptr_t pc);

#endif
