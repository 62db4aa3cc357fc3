/* The progress display: a live line on a terminal, or a periodic line in a log. */
#ifndef SIMUL_PROGRESS_H
#define SIMUL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stddef.h>

#include "explore/explore.h"

#define PROGRESS_LIVE_NS UINT64_C(200000000) /* interval between two updates of the live line */

struct progress {
	bool off;          /* --quiet */
	bool live;         /* standard error is a terminal */
	uint64_t start_ns; /* wall_clock_ns() */
	uint64_t shown_ns; /* when the last line was printed */
	uint64_t measured_ns; /* when the rate was last measured, and how many executions had ended then */
	uint64_t measured_executions;
	double rate;       /* executions a second, smoothed */
};

void progress_start(struct progress *p, bool quiet);

/* Prints a line if it is due. */
void progress_show(struct progress *p, const struct explore_stats *stats, uint64_t warm_up, bool warming_up, size_t bugs);

/* Writes the estimated number of executions, with its range: "35000 (9000 to 130000)"; "1.2 million (...)". "" if it is unknown, or
   everything was explored. */
void progress_estimate(const struct explore_stats *stats, char *buf, size_t size);

/* Erases the live line; p may be NULL. */
void progress_end(struct progress *p);

#endif
