/*
 * Divides the time between searches. Each test first gets a short search: most tests are small and finish in it. The unfinished ones share
 * the rest, smallest first, so that time they do not use goes to the largest. Without a time limit, the shares double in each round.
 */
#ifndef SIMUL_STRESS_PLAN_H
#define SIMUL_STRESS_PLAN_H

#include "cli/nightly/stress/stress.h"

/* Returns the time left for searches; UINT64_MAX: unlimited. */
uint64_t plan_left_ns(const struct stress *s);

/* Returns the time for a search on this many processors in round `round` (0: the short searches), when it and `after` others still wait. 0:
   no time is left. */
uint64_t plan_slice_ns(const struct stress *s, unsigned round, size_t after, unsigned processors);

/* Returns the estimated remaining seconds of the search of t, according to its last run; 1e30: there is no estimate. */
double plan_remaining(const struct stress_test *t);

/* Sorts tests by the estimated remaining size of their search, according to their last runs. */
void plan_sort(struct stress_test **list, size_t n);

#endif
