/*
 * What the hooks of functions on bytes and strings tell of the memory that they read and write (mem.h).
 *
 * A range is told before it is read or written. Where some of it is visible to the search that is a scheduling point: other
 * threads run there and may change what the function is about to read. What is read after it is read at that
 * point. So whoever reads one range and then writes or reads another keeps the first (struct kept), and whoever reads up to a
 * terminator looks again where it is. What is longer than KEPT bytes is done piece by piece, or read again later.
 */
#ifndef SIMUL_RANGES_H
#define SIMUL_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/ctl.h"
#include "preload/mem.h"

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
/* The same for bytes whose reading has been told. */
void range_put(void *to, const void *from, size_t n, uintptr_t pc);
void *range_set(void *to, int c, size_t n, uintptr_t pc);

/* Length of a string of at most n units of `unit` bytes (1 or 4): tells all that is read, the terminator too. */
size_t range_string(const void *s, size_t n, size_t unit, uintptr_t pc);

#endif
