/*
 * What rewinding processes (rewind.h) record for the processes after them: the pages that executions write to, whether to compare or to
 * watch them, and how often a process could not be rewound. The zygote and all its children share it.
 */
#ifndef SIMUL_REWIND_PROFILE_H
#define SIMUL_REWIND_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/life/page_copies.h"

#define KNOWN_PROGRAMS 20480u                       /* most pages of the program's memory */
#define PROFILE_PAGES (2 * KNOWN_PROGRAMS + 1024)   /* the same with simul's shadow of them (shadow.h) and its other data */
#define KNOWN_MANY 512u                             /* comparing fewer pages than this is faster than any fork */
#define KNOWN_BLOCKS 64

extern struct rewind_profile {
	uint64_t gave_up;   /* processes that could not be rewound */
	uint64_t tainted;   /* those of them with a reason that the next one will have too */
	uint64_t wasted;    /* pages that were copied for all of them */
	uint32_t fresh;     /* processes that could not be rewound because of new pages */
	bool widen;         /* the next process also copies the pages beside known ones: profile_widen */
	enum { WATCH_OPEN, WATCH_ON, WATCH_OFF } watch; /* whether long runs of pages are watched; OPEN: not decided yet */
	uint32_t n_blocks;  /* blocks of memory whose shadow is placed at the checkpoint, in this order: its address is equal in all processes */
	uint64_t block[KNOWN_BLOCKS]; /* their addresses */
	uint32_t n;
	uint64_t page[PROFILE_PAGES]; /* the known pages: some execution has written to them; ascending */
	uint64_t seen[PROFILE_PAGES]; /* by profile_see */
} *profile; /* NULL: executions are not rewound, or there is no memory */

/* Maps the profile. Returns false without memory. In the zygote, before the first fork. */
bool profile_init(void);

/* For written_look: puts a page into profile->seen; *ctx, a uint32_t, counts them. Pages after PROFILE_PAGES are only counted. */
void profile_see(void *ctx, uint64_t addr);
/* Returns whether any of the first n pages of profile->seen, which ascend, is not in the copy. */
bool profile_news(const struct copied *c, uint32_t n);
/* Adds these pages to the known ones, and overwrites profile->seen. Returns false if there is no room; nothing was added then. */
bool profile_add(uint32_t n);

/* Adds all pages of mappings that have known pages, if they can be watched or are few. For executions that keep writing to new pages of
   memory that existed before them. */
void profile_widen(void);
/* Returns whether pages can be watched. Tests it at the first call, so call it only when watching would be faster. */
bool profile_may_watch(void);

#endif
