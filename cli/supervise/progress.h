/* The live progress line on a terminal, or a plain line now and then in a log. */
#ifndef SIMUL_PROGRESS_H
#define SIMUL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include "explore/explore.h"

#define PROGRESS_LIVE_NS UINT64_C(200000000) /* between two of the live ones */

struct progress {
	bool off;          /* --quiet */
	bool live;         /* standard error is a terminal */
	uint64_t start_ns; /* wall_clock_ns() */
	uint64_t shown_ns; /* when the last line was printed */
	uint64_t shown_executions;
	double rate;       /* executions a second, smoothed */
};

void progress_start(struct progress *p, bool quiet);

/* Prints a line when it is time for one. */
void progress_show(struct progress *p, const struct explore_stats *stats, bool learning, size_t bugs);

/* How many executions there will be according to the estimate, with its range: "35000 (9000 to 130000)"; "1.2 million (...)". "" when
   nothing is known or everything was explored. */
void progress_estimate(const struct explore_stats *stats, char *buf, size_t size);

/* Wipes the live line; p may be NULL. */
void progress_end(struct progress *p);

#endif
