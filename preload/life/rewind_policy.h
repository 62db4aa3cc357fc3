/*
 * Decides whether rewinding (rewind.h) is faster than a fork for each execution, and whether pages are compared or
 * watched.
 *
 * All functions are called between two executions. They write only to shared memory, the session and struct worth, which a rewind does
 * not restore.
 */
#ifndef SIMUL_REWIND_POLICY_H
#define SIMUL_REWIND_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/life/page_copies.h"

/* Measurements of one process, zero at first. Times are in ticks of processor_ticks. */
struct worth {
	uint64_t ticks, fork_ticks, compared; /* ticks: fastest of `compared` rewinds; fork_ticks: duration of as many forks, in all */
	uint64_t dirty, rounds;               /* number of pages that `rounds` executions wrote to, in all */
};

/* Why a process could not be rewound. */
enum policy_cause {
	POLICY_NEW_PAGES, /* an execution wrote to memory that none wrote to before; the next process copies it */
	POLICY_PASSES,    /* another reason, which will probably not hold for the next process */
	POLICY_STAYS      /* a reason that will probably hold for the next process too */
};

/* Records that a fork of a process took this many ticks. */
void policy_forked(uint64_t took);

/* Stops rewinding for this session. `why` completes "executions ...". */
void policy_stop(const char *why);
/* Executions are rewound again, after policy_stop. Children that were forked before may not run. */
void policy_go_on(void);
/* Records that this process, which made the copy, cannot be rewound. Stops rewinding if that happened too often. `why` is as above. */
void policy_gave_up(const struct copied *c, enum policy_cause cause, const char *why);
/* Records that a rewind took `took` ticks and found `dirty` changed pages among the compared ones. */
void policy_rewound(struct worth *w, const struct copied *c, uint64_t took, uint64_t dirty);
/* Returns whether the next process must switch between comparing and watching pages. Call it after each execution. */
bool policy_otherwise(const struct worth *w, const struct copied *c);

/* Records that this process, which made its copy at a window, cannot be rewound. No more processes make one there
   if that happened too often. */
void policy_left_window(void);

#endif
