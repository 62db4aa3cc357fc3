/*
 * An estimate of the number of executions while the search runs, with a range.
 *
 * The search walks depth first through a tree whose leaves are the executions. Two things are unknown: how many branches a state on the
 * current path will finally have (a wakeup tree grows while what lies below its first branch is explored), and how large the unexplored
 * branches are.
 *
 *   Branches    Those that are planned, and one for each thread that has an event later in the execution which depends on the
 *               event performed here, unless the thread sleeps here, or could not have reached that event without this one.
 *               Such a race is reversed sooner or later, though another race may hide it now. Only events of kinds at which
 *               this search has branched count: an unlock conflicts with a lock and is never reversed with it.
 *   Their size  The mean size of the branches explored here, the one in progress included. Kilby, Slaney, Thiebaux, Walsh,
 *               "Estimating search tree size" (AAAI 2006), the recursive estimator; Knuth, "Estimating the efficiency of
 *               backtrack programs" (1975), is the idea. Simsa, Bryant, Gibson, "Runtime estimation and resource allocation for
 *               concurrency testing" (CMU-PDL-12-113, 2012) do the same for DPOR with other predictions of the branches.
 *
 * The range: the low end is a quarter of the estimated remainder. The high end is 10 times the remainder at the beginning and falls to 3
 * times towards the end, and is no less than the recent estimates. These factors were measured, not proved: docs/benchmarks.md.
 *
 * The range has no high end (ESTIMATE_MOST) while less than 1 % of the estimate is explored, and while the estimates since the search was a quarter
 * to an eighth as large differ by a factor of more than 4: a part that is so small or so unlike the rest says nothing about it.
 *
 * Several workers: each estimates the whole search from what it sees on the path to its own part. At shared states it counts all branches,
 * whichever worker explores them, and assumes that they are as large as its own. So these estimates do not add up: explore_join_estimates
 * (explore.h) combines them.
 *
 * Integers only, saturating at ESTIMATE_MOST.
 */
#ifndef SIMUL_ESTIMATE_H
#define SIMUL_ESTIMATE_H

#include "explore/search.h"

/* Updates stats.estimate, estimate_low and estimate_high. Call it after every execution, when its races are analysed. */
void estimate_add(struct search *s);

/* Sets all three to the number of executions: everything is explored. */
void estimate_done(struct search *s);

#endif
