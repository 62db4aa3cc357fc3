/* --strategy auto: how the time is shared between the bounded searches, samples and the full search (explore/iterate.h), and what the bounds
   showed. */
#ifndef SIMUL_BOUNDS_H
#define SIMUL_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "explore/explore.h"

struct run;

/* How fast the present search goes. */
struct pace {
	uint64_t since_ns, executions; /* where it was measured from; 0: not yet */
	uint32_t search;               /* which one: ctl.restarts */
};

/* Now and then while the search runs; `stats` is of all workers. */
void bounds_share(struct run *run, const struct explore_stats *stats);

/* What found the failure in the running execution, for a recording: "auto, bound 1", or the name of another strategy. */
void bounds_strategy(const struct run *run, const struct explore_stats *stats, char *buf, size_t size);

/* "complete up to 1 preemption"; "" when no bound is. */
void bounds_text(const struct explore_stats *stats, char *buf, size_t size);

#endif
