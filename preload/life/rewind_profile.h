/*
 * Data that rewinding processes (rewind.h) record for later processes: the pages that executions write to, whether to compare or to watch
 * them, and how often a process could not be rewound. The zygote and all its children share it.
 */
#ifndef SIMUL_REWIND_PROFILE_H
#define SIMUL_REWIND_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/life/open_fds.h"
#include "preload/life/page_copies.h"

#define KNOWN_PROGRAMS 20480u                       /* most pages of the program's memory */
#define PROFILE_PAGES (2 * KNOWN_PROGRAMS + 1024)   /* most pages in all, with simul's shadow of that memory (shadow.h) and its other data */
#define KNOWN_MANY 512u                             /* comparing fewer pages than this is faster than any fork */
#define KNOWN_BLOCKS 64

extern struct rewind_profile {
	uint64_t gave_up;   /* number of processes that could not be rewound */
	uint64_t tainted;   /* number of these processes with a reason that will hold for the next process too */
	uint64_t wasted;    /* number of pages that were copied for all these processes */
	uint32_t fresh;     /* number of processes that could not be rewound because of new pages */
	bool widen;         /* the next process also copies the pages beside known ones (profile_widen) */
	enum { WATCH_OPEN, WATCH_ON, WATCH_OFF } watch; /* whether long runs of pages are watched; OPEN: not decided yet */
	uint64_t rewound_at_window; /* executions that were rewound to a window */
	uint64_t left_windows;      /* processes that could not be */
	bool windows_off;   /* executions are not rewound to windows any more */
	struct open_fds at_checkpoint, at_window; /* at_window: of the latest process that made its copy at a window */
	uint32_t n_blocks;  /* number of blocks whose shadow is placed at the checkpoint, in this order, so that its address is equal in all processes */
	uint64_t block[KNOWN_BLOCKS]; /* addresses of these blocks */
	uint32_t n;
	uint64_t page[PROFILE_PAGES]; /* the known pages: some execution has written to them; ascending */
	uint64_t seen[PROFILE_PAGES]; /* pages recorded by profile_see */
} *profile; /* NULL: executions are not rewound, or there was no memory for the profile */

/* Maps the profile. Returns false if there is no memory. Call it in the zygote, before the first fork. */
bool profile_init(void);

/* For written_look: appends a page to profile->seen, and counts it in *ctx, a uint32_t. Pages after the first PROFILE_PAGES are only
   counted. */
void profile_see(void *ctx, uint64_t addr);
/* Returns whether any of the first n pages of profile->seen is not in the copy. These pages are in ascending order. */
bool profile_news(const struct copied *c, uint32_t n);
/* Adds the first n pages of profile->seen to the known ones, and overwrites profile->seen. If there is no room, adds nothing and returns
   false. */
bool profile_add(uint32_t n);

/* Adds all pages of mappings that have known pages, if they can be watched or are few. For executions that keep writing to new pages of
   memory that existed before them. */
void profile_widen(void);
/* Returns whether pages can be watched. The first call tests the kernel, so call this only when watching would be faster. */
bool profile_may_watch(void);

#endif
