/*
 * How the time is shared between searches. First each test gets a short one: most tests are small, and are over then. What is left is
 * shared between the unfinished ones, the smallest first, so that what they do not need comes to the largest. Without a limit of time
 * the shares double from round to round.
 */
#ifndef SIMUL_STRESS_PLAN_H
#define SIMUL_STRESS_PLAN_H

#include "cli/stress/stress.h"

/* What searches may use of the time that is left; UINT64_MAX: all the time they want. */
uint64_t plan_left_ns(const struct stress *s);

/* Of a search on so many processors in round `round` (0: the short ones), when it and `after` others wait for their turn. 0: there is no time
   left. */
uint64_t plan_slice_ns(const struct stress *s, unsigned round, size_t after, unsigned processors);

/* Sorts tests by how much of their search is left, as far as the estimates of their last runs tell. */
void plan_sort(struct stress_test **list, size_t n);

#endif
