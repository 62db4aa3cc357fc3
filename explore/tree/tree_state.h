/* Where a search with backtracking stands in its tree of executions, and the estimate of the size of that tree. */
#ifndef SIMUL_TREE_STATE_H
#define SIMUL_TREE_STATE_H

#include "explore/core.h"

struct tree_state {
	uint32_t prefix;      /* events to repeat; node[prefix] is where the execution branches off */
	uint32_t repeat;      /* like `prefix`, but larger if an execution was broken off and is repeated: its events are on the stack as well */
	uint32_t pos;         /* events observed so far in this execution */
	uint32_t started;     /* an execution has begun */
	uint32_t redundant;   /* the latest pick found every choice asleep */
	struct choice picked; /* choice of the latest pick */
	struct vec sleeps;    /* struct sleeper */
	struct vec last_run;  /* uint32_t by thread_id: step of this execution at which the thread last ran, + 1 */
};

/* See estimate.c. */
struct estimate_state {
	struct vec visits;    /* struct visit, by node */
	uint64_t at;          /* number of executions at the latest estimate */
	uint64_t next;        /* number of executions at which the next estimate is made */
	uint64_t branched[2]; /* kinds of events at which the search has branched, one bit each */
	struct {
		uint64_t least, most; /* of the estimates; 0: there was none */
	} range[3];           /* while the number of executions doubled: now, before that, and before that */
	uint32_t doublings;   /* of the number of executions, at the latest estimate */
};

#endif
