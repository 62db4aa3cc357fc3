/*
 * The pages of private memory that this process has written to since it was forked.
 *
 * Two kinds of pages are left out, because their contents have no meaning between two executions. One is simul's own
 * stack (aside.h). The other is the part of simul's private memory (ctl_alloc) that was not in use at written_begin:
 * an allocation clears it. One more page is left out because it says what a register holds (thread_pointer.h), and no
 * rewind restores the register.
 */
#ifndef SIMUL_WRITTEN_PAGES_H
#define SIMUL_WRITTEN_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/base/maps.h"

struct written_visitor {
	void *ctx;
	void (*mapping)(void *ctx, const struct mapping *m); /* called for each mapping; NULL: not wanted */
	void (*page)(void *ctx, uint64_t addr);              /* called for each page, in ascending order; NULL: not wanted */
	bool others; /* also report pages that are in memory and were not written to */
};

/* Call it before the first execution of this process. */
void written_begin(void);

/* Sets *lo .. *hi to the part of simul's private memory that has come into use since. */
void written_arena(uint64_t *lo, uint64_t *hi);

/* Examines the memory of the whole process. Sets *layout to a hash of all mappings, without the size of the
   first thread's stack and without the places where the kernel has split a mapping. Returns
   false if memory cannot be examined (no /proc), or is too large. */
bool written_look(const struct written_visitor *t, uint64_t *layout);

#endif
