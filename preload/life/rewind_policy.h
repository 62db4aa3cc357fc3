/*
 * Whether it is worth while to rewind (rewind.h): against a fork for each execution, against snapshots, and against another way of looking at memory.
 *
 * All of this is called between two executions: it writes to memory that is shared, to the session and to struct worth, which outlives
 * what is put back.
 */
#ifndef SIMUL_REWIND_POLICY_H
#define SIMUL_REWIND_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "preload/life/page_copies.h"

/* Of one process; all 0 at first. Times are in ticks of sys_ticks. */
struct worth {
	uint64_t ticks, fork_ticks, compared; /* what the fastest of so many rewinds took, and what as many forks would have, in all */
	uint64_t dirty, rounds;               /* pages that executions wrote to, in so many of them */
	uint32_t long_ones;                   /* executions in a row that had better start in the middle */
};

enum policy_cause {
	POLICY_NEW_PAGES, /* an execution wrote to memory that none wrote to before: the next process knows */
	POLICY_PASSES,    /* another reason that the next process will most probably not have */
	POLICY_STAYS
};

/* The fork of a process took that long. */
void policy_forked(uint64_t took);

/* No more rewinds in this session. `why` completes "executions ...". */
void policy_stop(const char *why);
/* This process, which made the copy, cannot go on: stops for good when that was too often in vain. */
void worth_gave_up(const struct copied *c, enum policy_cause cause, const char *why);
/* It was rewound, which took that long; `dirty` pages that are compared had changed. The execution before it lasted that long. */
void policy_rewound(struct worth *w, const struct copied *c, uint64_t took, uint64_t dirty, uint64_t lasted);
/* Should memory be looked at in another way, by the next process? Asked after each execution. */
bool policy_otherwise(const struct worth *w, const struct copied *c);

#endif
