/*
 * The copy of the pages that executions write to, and functions that restore it. Pages are compared with their copy, 256 bytes at a time,
 * and written where they differ. In long runs of pages the kernel can report the written pages instead (page_watch.h).
 *
 * Comparing costs 0.1 to 0.4 µs for each page. Watching costs a page fault (0.8 µs) for each page that an execution writes to, and almost
 * nothing for the others. It is faster if executions write to less than about a quarter of the pages.
 *
 * This data must survive a restore, so it lies in shared memory, and the code runs on a stack there.
 */
#ifndef SIMUL_PAGE_COPIES_H
#define SIMUL_PAGE_COPIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "preload/base/maps.h"
#include "preload/base/page_watch.h"
#include "preload/life/page_versions.h"

#define COPIED_RUNS 64

/* Pages of one mapping without a gap: page[first] to page[first + n - 1]. */
struct copied_run {
	uint64_t lo, hi; /* bounds of the mapping */
	uint32_t first, n;
	bool watched;
};

struct copied {
	uint32_t n;     /* pages */
	uint64_t *page; /* addresses of all copied pages, ascending */
	char *copy;
	bool (*restore)(void *to, const void *from); /* restores one page; returns false if it was unchanged */
	bool (*differs)(const void *a, const void *b); /* whether two pages differ */
	uint32_t n_runs, long_runs; /* number of runs; number of pages in runs that are long enough to be watched */
	struct copied_run run[COPIED_RUNS];
	/* for watched runs: */
	struct watch watch;
	uint32_t watched, written; /* number of watched pages; after copied_look, number of those that the execution wrote to */
	uint32_t n_dirty;
	uint32_t *dirty;           /* the watched pages to restore: ascending indices of page[]; without watching,
	                              those that copied_wrote has added */
	bool *wrote;               /* by index of page[]: copied_wrote has added it */
	uint32_t from;             /* during copied_look: index of the first page of the current run */
};

/* Returns the bytes that a copy of `pages` pages takes after a header of `head` bytes. */
size_t copied_bytes(size_t head, uint32_t pages);
/* Makes an empty copy in memory of copied_bytes bytes, which must be shared and zero. */
void copied_at(struct copied *c, void *memory, size_t head, uint32_t pages);
/* Adds the page at `addr` of mapping m. Call it for all pages, in ascending order, before the copy is made. */
void copied_add(struct copied *c, const struct mapping *m, uint64_t addr);
/* Call it after the last copied_add. Watches the long runs if the kernel can. Returns whether any run is watched. */
bool copied_watch(struct copied *c);

/* Returns whether any page of lo .. hi is watched. */
bool copied_watches(const struct copied *c, uint64_t lo, uint64_t hi);

/* Copies the pages, and starts watching. If the kernel fails to watch, now or later, all pages are compared. */
void copied_make(struct copied *c);
/* Finds the pages of watched runs that were written to; c->written is their number. Each had at least one page fault. */
void copied_look(struct copied *c);
/* Adds a version of each page that differs from its newest one. Returns false if there is no room. No page may be watched. */
bool copied_keep(const struct copied *c, struct versions *v);
/* For copies without watched pages: records that this process has written to these pages, which are in the copy, in
   ascending order. */
void copied_wrote(struct copied *c, const uint64_t *page, uint32_t n);
/* Restores the pages that copied_wrote has recorded. */
void copied_put_back_wrote(const struct copied *c);
/* Call it after copied_look. Restores all pages to their newest version; watched pages have none. Returns the number of pages that had changed and are
   not watched. */
uint64_t copied_put_back(struct copied *c, const struct versions *v);

#endif
