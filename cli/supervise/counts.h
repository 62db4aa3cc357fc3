/* The figures of a search, for the progress line, the summary, the verdict and JSON: all of them print these. */
#ifndef SIMUL_COUNTS_H
#define SIMUL_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore/explore.h"

struct counts {
	uint64_t executions; /* of the search since its last restart */
	uint64_t warm_up;    /* before that: what they found about memory and loops counts, the orders they tried do not */
	uint64_t all;        /* both. It never falls */
};

/* The number of distinct traces that the executions of a search explored: not 0 if there was one. */
struct distinct {
	uint64_t n;
	bool least; /* there may be more */
};

struct counts counts_of(const struct explore_stats *stats, uint64_t warm_up);

/* Strategy auto does not look at the traces of its samples; strategies that only sample count all. */
struct distinct counts_distinct(unsigned strategy, const struct explore_stats *stats);

/* Writes "12 executions", or "1 execution of the warm-up" if there was no other. Returns buf. */
char *counts_text(const struct counts *c, char *buf, size_t size);

/* Larger numbers are printed as "over 10^15". */
#define COUNTS_BEYOND_WORDS UINT64_C(1000000000000000)

/* Writes the number in two digits: "35000", "1.2 million". */
void counts_rough(uint64_t n, char *buf, size_t size);

/* Writes how fast executions are: "4009/s", "0.4/s", or "24 s each" if they are slower than one in ten seconds. "0/s":
   none has ended, or the rate (executions a second) is not known. Returns buf. */
char *counts_rate(double rate, char *buf, size_t size);

#endif
