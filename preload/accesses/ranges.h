/*
 * Accesses to ranges of bytes: what the hooks of functions on bytes and strings report (mem.h).
 *
 * A range is reported before it is read or written. Where some of it is visible to the search, that is a scheduling point: other threads
 * run there and may change what the function is about to read. This has two consequences:
 *  - How far a function reads must not depend on visible bytes that it has not reported. So a string with visible bytes is read piece by
 *    piece (struct reader). Each piece has its value at the time of its report.
 *  - Bytes that were read are kept as a copy while something else is reported (struct kept). More than KEPT bytes are processed in pieces,
 *    or read again.
 */
#ifndef SIMUL_RANGES_H
#define SIMUL_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/control/ctl.h"
#include "preload/accesses/mem.h"

#define KEPT 256u

/* With this bit in `pc`, the call's return address, enforcement makes the same accesses (enforce/lib/memory.c).
   Otherwise `simul certify` refuses programs in which the call accesses visible bytes. The caller must use what was
   read as range_take and range_string return it. */
#define RANGE_HELD ((uintptr_t)1 << 63)

/* Returns whether the caller is program code whose accesses count. */
static inline bool watched(void)
{
	return __builtin_expect(mem_on, 0) && !ctl_inside;
}

/* Reports a read of p[0..n). Returns true when other threads may have run. */
bool range_read(const void *p, size_t n, uintptr_t pc);

/* Bytes that were read, for use after another scheduling point. */
struct kept {
	_Alignas(16) char bytes[KEPT];
};
/* Returns p[0..n) as it is now: a copy, or p itself when n > KEPT. */
const void *range_keep(struct kept *k, const void *p, size_t n);

/* Reports a read of p[0..n). Returns the bytes with their values at that time: a copy in *k if other threads may change
   them, and n <= KEPT. */
const void *range_take(struct kept *k, const void *p, size_t n, uintptr_t pc);

/* Copies n bytes, which may overlap, and reports both accesses. Returns `to`, like memcpy. */
void *range_copy(void *to, const void *from, size_t n, uintptr_t pc);
/* Like range_copy, for bytes whose read has been reported already. */
void range_put(void *to, const void *from, size_t n, uintptr_t pc);
/* Sets n bytes to c, and reports that. Returns `to`, like memset. */
void *range_set(void *to, int c, size_t n, uintptr_t pc);

/* Returns how many of the n bytes at p a function may look at before it reports what it reads. At the first look it
   finds out how far it reads (range_peeked). If it stops because of this limit, it reads the byte at the limit as well.
   */
size_t range_quiet(const void *p, size_t n);
/* Reports a read of p[0..n), where n was found by looking at these bytes. Returns false when the bytes cannot have changed since. Returns
   true when some are visible: then nothing may have been reported, and the caller must read all of them by a reader. */
bool range_peeked(const void *p, size_t n, uintptr_t pc);

/* Reads p[0..limit) byte by byte. */
struct reader {
	const char *p;
	size_t limit;
	uintptr_t pc;
	size_t lo, hi; /* bytes [lo, hi) were reported together */
	char bytes[16]; /* their values at that time */
};
struct reader range_reader(const void *p, size_t limit, uintptr_t pc);
/* Returns byte k, and reports its read. Bytes are read in order, each once. */
unsigned char reader_byte(struct reader *r, size_t k);

/* Returns the length of a string of at most n units of `unit` bytes (1 or 4), and reports all that is read, including
   the terminator. Sets *data to the bytes that were read: s itself, or a copy with a terminator in *k if the bytes may
   change afterwards and there is room. k and data may be NULL, if the caller does not read the string again. */
size_t range_string(const void *s, size_t n, size_t unit, uintptr_t pc, struct kept *k, const void **data);

#endif
