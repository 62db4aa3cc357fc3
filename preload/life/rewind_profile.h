/*
 * What the processes that rewind (rewind.h) learn for those after them: which pages executions write to, how that memory is best looked at, and how often
 * a process could not be rewound. It is shared by the zygote and all of its children.
 */
#ifndef SIMUL_REWIND_PROFILE_H
#define SIMUL_REWIND_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/life/page_copies.h"

#define KNOWN_PROGRAMS 20480u                       /* pages of the program's memory, */
#define PROFILE_PAGES (2 * KNOWN_PROGRAMS + 1024)     /* and with simul's shadow of that (shadow.h) and what else it writes to */
#define KNOWN_MANY 512u                             /* pages; to compare fewer takes less time than any fork */
#define KNOWN_BLOCKS 64

extern struct rewind_profile {
	uint64_t gave_up;   /* processes that could not be rewound, */
	uint64_t tainted;   /* and for a reason that the next one will have too; */
	uint64_t wasted;    /* pages that were copied for them */
	uint32_t fresh;     /* processes that could not be rewound because of new pages */
	bool widen;         /* the next process copies what lies beside known pages: profile_widen */
	enum { WATCH_OPEN, WATCH_ON, WATCH_OFF } watch; /* are long runs of pages watched, or compared? */
	uint32_t n_blocks;  /* whose shadow gets its place at the checkpoint, in this order, so that it is the same in each process */
	uint64_t block[KNOWN_BLOCKS]; /* an address of each */
	uint32_t n;
	uint64_t page[PROFILE_PAGES]; /* that some execution has written to, in order */
	uint64_t seen[PROFILE_PAGES]; /* by profile_see */
} *profile; /* NULL: not wanted, or there is no memory */

/* In the zygote, before the first fork. */
bool profile_init(void);

/* For written_look: puts a page into profile->seen; *ctx, a uint32_t, counts them. More than PROFILE_PAGES are only counted. */
void profile_see(void *ctx, uint64_t addr);
/* Is any of the first n of profile->seen, in order, no page of the copy? */
bool profile_news(const struct copied *c, uint32_t n);
/* Adds them to what is known; profile->seen is used up. false: there is no room, and nothing was added. */
bool profile_learn(uint32_t n);

/* Executions keep writing to other pages of memory that was there before them: all of that becomes known, if it can be watched or is little. */
void profile_widen(void);
/* Can pages be watched? Asked when that would pay. */
bool profile_may_watch(void);

#endif
