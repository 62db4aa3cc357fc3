/*
 * The copy of the pages that executions write to, and how it is put back: each page is compared, a quarter of a KB at a time, and written
 * where it differs; or, in long runs of pages (page_watch.h), the kernel tells which were written to. Comparing costs 0.1 to 0.4 µs a page, telling
 * almost nothing but a page fault (0.8 µs) for each page that an execution writes to: it pays where that is less than about a quarter of them.
 *
 * All of this outlives what it puts back: it lies in shared memory, and runs on a stack there.
 */
#ifndef SIMUL_PAGE_COPIES_H
#define SIMUL_PAGE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/maps.h"
#include "preload/base/page_watch.h"

#define COPIED_RUNS 64

/* Pages of one mapping without a gap: page[first] to page[first + n - 1]. */
struct copied_run {
	uint64_t lo, hi; /* of the mapping */
	uint32_t first, n;
	bool watched;
};

struct copied {
	uint32_t n;     /* pages */
	uint64_t *page; /* where they are, in order */
	char *copy;
	bool (*restore)(void *to, const void *from); /* one page; false: nothing had to be done */
	uint32_t n_runs, long_runs; /* pages in runs, long enough that to watch them may pay */
	struct copied_run run[COPIED_RUNS];
	/* where runs are watched: */
	struct watch watch;
	uint32_t watched, written; /* pages; those that the running execution wrote to, from copied_look on */
	uint32_t n_told;
	uint32_t *told;            /* the pages to put back: indices of page[] */
	uint32_t from;             /* while looking: the index of the run's first page */
};

/* Bytes for a copy of `pages` pages behind a header of `head` bytes; copied_at: makes it in memory of that size, which is shared and clear. */
size_t copied_bytes(size_t head, uint32_t pages);
void copied_at(struct copied *c, void *memory, size_t head, uint32_t pages);
/* The page at `addr` of the mapping m belongs to it. In the order of addresses, all pages before the copy is made. */
void copied_add(struct copied *c, const struct mapping *m, uint64_t addr);
/* No more pages: long runs are watched, where the kernel can. true when any is. */
bool copied_watch(struct copied *c);

/* Makes the copy; from its end on runs are watched. When the kernel fails at that, now or later, they are compared again. */
void copied_make(struct copied *c);
/* Which pages of watched runs were written to: c->written is their number. Each had one page fault at least. */
void copied_look(struct copied *c);
/* After copied_look. Returns how many pages that are not watched had changed. */
uint64_t copied_put_back(struct copied *c);

#endif
