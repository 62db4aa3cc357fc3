/*
 * How many executions will there be? Knuth, "Estimating the efficiency of backtrack programs" (1975):
 * the product of the branching factors along a random path has the size of the tree as its mean. Here the
 * paths are those of the search itself, and the factors are what is known now, so the number is a guess
 * that settles as the search goes on. Integers only, saturating.
 */
#ifndef SIMUL_ESTIMATE_H
#define SIMUL_ESTIMATE_H

#include "explore/search.h"

/* Brings stats.estimate up to date after an execution. */
void estimate_add(struct search *s);

#endif
