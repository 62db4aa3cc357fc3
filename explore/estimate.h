/*
 * How many executions will there be? An estimate of the whole while the search goes on, with a range.
 *
 * The search is a walk, depth first, through a tree whose leaves are the executions. Two things are not known of it: how many
 * branches a state on the current path will have in the end (a wakeup tree grows while what lies below its first branch is
 * explored), and how big those are that were not explored.
 *
 *   Branches    Besides those that are planned: one for each thread that has an event later in the execution which depends on
 *               the event performed here, unless the thread sleeps here, or could not have got to that event without this one.
 *               Such a race is reversed sooner or later, though another race may hide it now. Only at events of kinds that
 *               have had a second branch in this search: an unlock conflicts with a lock and is never reversed with it.
 *   Their size  That of the mean of the branches explored here, the one under way included. Kilby, Slaney, Thiebaux, Walsh,
 *               "Estimating search tree size" (AAAI 2006), the recursive estimator; Knuth, "Estimating the efficiency of
 *               backtrack programs" (1975), is the idea. Simsa, Bryant, Gibson, "Runtime estimation and resource allocation for
 *               concurrency testing" (CMU-PDL-12-113, 2012) do the same for DPOR with other guesses of the branches.
 *
 * The range: of what is left according to the estimate, a quarter is the low end. The high end is 10 times that at the beginning
 * and falls to 3 times towards the end. These factors were measured, not proved: docs/benchmarks.md.
 *
 * Several workers: each estimates the whole search by itself, from what it sees on its way to its own part. At the states that are
 * shared it counts the branches, whoever explores them, and takes them to be as big as its own one. So these estimates do not add:
 * explore_join_estimates (explore.h) makes one of them.
 *
 * Integers only, saturating at ESTIMATE_MOST.
 */
#ifndef SIMUL_ESTIMATE_H
#define SIMUL_ESTIMATE_H

#include "explore/search.h"

#define ESTIMATE_MOST (UINT64_C(1) << 60) /* means "this or more" */

/* Brings stats.estimate, estimate_low and estimate_high up to date. Called after every execution, when its races are analysed. */
void estimate_add(struct search *s);

/* Everything is explored: all three are the number of executions. */
void estimate_done(struct search *s);

#endif
