/*
 * Iterative preemption bounding, and samples, beside the full search: strategy `auto`.
 *
 * Three searches in one memory: Optimal-DPOR over everything; TruSt bounded by 0, 1, 2, ... preemptions in turn; and samples (surw.c). Each
 * execution belongs to one of them. The search is over when the full one is, or when a bound has left nothing out. What each bound
 * explores, and samples, are counted as executions, and not as traces of the whole: a sample proves nothing, and what becomes of
 * it (that it was cut, say) takes nothing away from what is said of the others.
 *
 * Which of them has the next execution: the bounded one begins, and has half of the work for its first ITERATE_FIRST, since most
 * bugs need few preemptions and most searches are small; then each has its share of the work, which is counted in events (what TruSt thinks about an execution of hundreds of
 * events may be more than executing it). So a search that comes to its end takes at most an eighth longer than the full one alone would,
 * and that beginning, whatever its size. Samples are taken only where there is no hope of an end (enum explore_outlook, which the
 * owner of the memory knows better): there each of the three has a third of the work from then on. With dozens of threads what needs no
 * preemption at all is more than can be explored; samples find bugs that need a certain few events in a certain order all the same.
 *
 * With store buffers there are no bounds (TruSt is for sequential consistency). Of several workers each samples, with a seed of its own; one
 * has the bounds.
 *
 * Papers: Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded programs" (PLDI 2007); trust.md; surw.c.
 * Differs here: the next bound repeats what the one before explored (its tree is the same, cut off elsewhere).
 */
#ifndef SIMUL_ITERATE_H
#define SIMUL_ITERATE_H

#include "explore/search.h"

#define ITERATE_FIRST 256        /* executions, */
#define ITERATE_FIRST_WORK 32768 /* as long as they are not more work than this, */
#define ITERATE_AHEAD 2048       /* nor more than that of the full search meanwhile; but this much, */
#define ITERATE_AHEAD_RUNS 16    /* in so many executions, comes before it */
#define ITERATE_LONGEST 2000     /* events: programs with longer executions are left to the full search */
#define ITERATE_PART 8           /* afterwards: the work of the full search is so many times that of the bounded one */

enum iterate_part { PART_FULL, PART_BOUNDED, PART_SAMPLES };

struct iterate {
	struct explore_stats stats; /* of all together: what explore_stats() gives */
	struct explore_stats done;  /* sums of the bounds that are over */
	uint32_t outlook;           /* enum explore_outlook; from outside, at any time */
	uint32_t part;              /* enum iterate_part: to which the running (or last) execution belongs */
	uint32_t gone;              /* there is no bounded search any more */
	uint32_t begun;             /* the first executions are over; */
	uint64_t first_work, first_full; /* so much work they were, and meanwhile that of the full search */
	uint64_t owed;              /* events that samples may have: none before the first executions of bounds are over */
	struct search bounded, samples;
};

static inline struct iterate *iterate_of(struct search *s)
{
	return (struct iterate *)((char *)search_arena_of(s) + (uint64_t)s->iterate * 8);
}

/* Makes the search in `memory`, new and optimal, one of three. false: no memory. */
bool iterate_create(struct search *s);
/* It becomes one of several workers: its samples are others than theirs. */
void iterate_join(struct search *s);
/* And is given work by others: the bounded search is not its own. */
void iterate_leave(struct search *s);

/* The one of the three whose execution is planned, running or the last. */
static inline struct search *iterate_running(struct search *s)
{
	struct iterate *it = iterate_of(s);
	return it->part == PART_BOUNDED ? &it->bounded : it->part == PART_SAMPLES ? &it->samples : s;
}

extern const struct strategy_ops auto_ops;

#endif
