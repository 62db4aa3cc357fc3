/*
 * Iterative preemption bounding beside the full search: strategy `auto`.
 *
 * Two searches in one memory: Optimal-DPOR over everything, and TruSt bounded by 0, 1, 2, ... preemptions in turn. Each execution belongs to
 * one of them. The search is over when the full one is, or when a bound has left nothing out. What each bound explores is counted as
 * executions, and not as traces of the whole.
 *
 * Which of the two has the next execution: the bounded one has the first ITERATE_FIRST, since most bugs need few preemptions and most
 * searches are small; then each has its share of the work, which is counted in events (what TruSt thinks about an execution of hundreds of
 * events may be more than executing it). So a search that comes to its end takes at most an eighth longer than the full one alone would,
 * and that beginning, whatever its size; and where there is no hope of an end (enum explore_bounds, which the owner of the memory
 * knows better) half of the work goes into the bounds.
 *
 * Papers: Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded programs" (PLDI 2007); trust.md.
 * Differs here: the next bound repeats what the one before explored (its tree is the same, cut off elsewhere).
 */
#ifndef SIMUL_ITERATE_H
#define SIMUL_ITERATE_H

#include "explore/search.h"

#define ITERATE_FIRST 256        /* executions, */
#define ITERATE_FIRST_WORK 32768 /* as long as they are not more work than this */
#define ITERATE_LONGEST 2000     /* events: programs with longer executions are left to the full search */
#define ITERATE_PART 8           /* afterwards: the work of the full search is so many times that of the bounded one */

struct iterate {
	struct explore_stats stats; /* of both together: what explore_stats() gives */
	struct explore_stats done;  /* sums of the bounds that are over */
	uint32_t bounds;            /* enum explore_bounds; from outside, at any time */
	uint32_t bounded_runs;      /* the running (or last) execution belongs to the bounded search */
	uint32_t gone;              /* there is no bounded search any more */
	uint32_t pad_;
	uint64_t first_work;        /* of the first executions */
	struct search bounded;
};

static inline struct iterate *iterate_of(struct search *s)
{
	return (struct iterate *)((char *)search_arena_of(s) + (uint64_t)s->iterate * 8);
}

/* Makes the search in `memory`, new and optimal, one of two. false: no memory. */
bool iterate_create(struct search *s);
/* It becomes one of several workers that is given work by others: the bounded search is not its own. */
void iterate_leave(struct search *s);

/* The one of the two whose execution is planned, running or the last. */
static inline struct search *iterate_running(struct search *s)
{
	return iterate_of(s)->bounded_runs ? &iterate_of(s)->bounded : s;
}

extern const struct strategy_ops auto_ops;

#endif
