/*
 * What the processes that rewind (rewind.h) learn for those after them: which pages executions write to, how that memory is best looked at, and how often
 * a process could not be rewound. It is shared by the zygote and all of its children.
 */
#ifndef SIMUL_KNOWN_H
#define SIMUL_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/copied.h"

#define KNOWN_PROGRAMS 20480u                       /* pages of the program's memory, */
#define KNOWN_PAGES (2 * KNOWN_PROGRAMS + 1024)     /* and with simul's shadow of that (shadow.h) and what else it writes to */
#define KNOWN_MANY 512u                             /* pages; to compare fewer takes less time than any fork */
#define KNOWN_BLOCKS 64

extern struct known {
	uint64_t gave_up;   /* processes that could not be rewound, */
	uint64_t stained;   /* and for a reason that the next one will have too; */
	uint64_t wasted;    /* pages that were copied for them */
	uint32_t fresh;     /* processes that could not be rewound because of new pages */
	bool widen;         /* the next process copies what lies beside known pages: known_widen */
	enum { WATCH_OPEN, WATCH_ON, WATCH_OFF } watch; /* are long runs of pages watched, or compared? */
	uint32_t n_blocks;  /* whose shadow gets its place at the checkpoint, in this order, so that it is the same in each process */
	uint64_t block[KNOWN_BLOCKS]; /* an address of each */
	uint32_t n;
	uint64_t page[KNOWN_PAGES]; /* that some execution has written to, in order */
	uint64_t seen[KNOWN_PAGES]; /* by known_see */
} *known; /* NULL: not wanted, or there is no memory */

/* In the zygote, before the first fork. */
bool known_init(void);

/* For written_look: puts a page into known->seen; *ctx, a uint32_t, counts them. More than KNOWN_PAGES are only counted. */
void known_see(void *ctx, uint64_t addr);
/* Is any of the first n of known->seen, in order, no page of the copy? */
bool known_news(const struct copied *c, uint32_t n);
/* Adds them to what is known; known->seen is used up. false: there is no room, and nothing was added. */
bool known_learn(uint32_t n);

/* Executions keep writing to other pages of memory that was there before them: all of that becomes known, if it can be watched or is little. */
void known_widen(void);
/* Can pages be watched? Asked when that would pay. */
bool known_may_watch(void);

#endif
