/* --strategy auto: divides the time between bounded searches, samples and the full search (explore/auto/auto.h), and describes the bounds
   completed. */
#ifndef SIMUL_BOUNDS_H
#define SIMUL_BOUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "cli/segment/segment.h"
#include "explore/explore.h"

struct search;

/* Speed of the current search. */
struct pace {
	uint64_t since_ns, executions; /* start of the measurement; 0: not started */
	uint32_t search;               /* which one: ctl.warm_up.restarts */
};

/* Call it periodically during the search; `stats` is the total of all workers. */
void bounds_share(struct search *search, const struct explore_stats *stats);

/* Writes the strategy that found the failure in the running execution, for a recording: "auto, bound 1" or "optimal, during warm-up".
   restarts: the search restarts after this execution, which makes it one of the warm-up. */
void bounds_strategy(const struct session_config *config, const struct segment *seg, const struct explore_stats *stats, bool restarts,
	char *buf, size_t size);

/* Writes "complete up to 1 preemption"; "" if no bound is complete. */
void bounds_text(const struct explore_stats *stats, char *buf, size_t size);

#endif
