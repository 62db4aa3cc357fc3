/*
 * Decides whether rewinding (rewind.h) is faster than a fork for each execution or than snapshots, and whether pages are compared or
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

/* Measurements of one process, zero at first. Times are in ticks of sys_ticks. */
struct worth {
	uint64_t ticks, fork_ticks, compared; /* the fastest of `compared` rewinds, and the sum that as many forks would have taken */
	uint64_t dirty, rounds;               /* pages that `rounds` executions wrote to, in all */
	uint32_t long_ones;                   /* successive executions that a snapshot would shorten */
};

/* Why a process could not be rewound. */
enum policy_cause {
	POLICY_NEW_PAGES, /* an execution wrote to memory that none wrote to before; the next process copies it */
	POLICY_PASSES,    /* another reason that the next process will probably not have */
	POLICY_STAYS      /* a reason that the next process will probably have too */
};

/* A fork of a process took this many ticks. */
void policy_forked(uint64_t took);

/* Stops rewinding for this session. `why` completes "executions ...". */
void policy_stop(const char *why);
/* This process, which made the copy, cannot be rewound. Stops rewinding if that happened too often. `why` as above. */
void policy_gave_up(const struct copied *c, enum policy_cause cause, const char *why);
/* A rewind took `took` ticks and found `dirty` changed pages among those that are compared. The execution before it took `lasted`. */
void policy_rewound(struct worth *w, const struct copied *c, uint64_t took, uint64_t dirty, uint64_t lasted);
/* Returns whether the next process must switch between comparing and watching pages. After each execution. */
bool policy_otherwise(const struct worth *w, const struct copied *c);

#endif
