/*
 * Strategy `auto`: iterative preemption bounding and sampling beside the full search.
 *
 * Three searches share one memory: Optimal-DPOR over everything; TruSt bounded by 0, 1, 2, ... preemptions in turn; and samples (surw.c).
 * Each execution belongs to one of them. The search is over when the full one is, or when a bound has excluded nothing. Executions of
 * bounds and samples count as executions, not as traces of the whole. A sample proves nothing, and its outcome (for example, that it was
 * cut) does not weaken what is claimed for the other searches.
 *
 * Order of executions: the bounded search begins and gets half of the work for its first AUTO_FIRST executions, because most bugs need
 * few preemptions and most searches are small. Afterwards each search gets its share of the work, counted in events (the analysis that
 * TruSt makes of an execution of hundreds of events may cost more than the execution). So a search that finishes takes at most an eighth
 * longer than the full one alone, plus that beginning, whatever its size. Samples are taken only when the search is not expected to finish
 * (enum explore_outlook, set by the owner of the memory). From then on each of the three has a third of the work. With dozens of threads,
 * even the executions without a preemption are too many to explore; samples can still find bugs that need a few particular events in a
 * particular order.
 *
 * Half of the samples are directed at deadlocks once threads were seen to take locks in opposite orders (lock_order.h).
 *
 * Executions of more than AUTO_LONGEST events have no bounded search. Samples take its place in the beginning: they have half of the work
 * until it is known whether the search will finish. Such executions are slow, and the first few hundred may be all that a budget allows.
 *
 * If executions of the full search were cut, its end proves nothing. Where a budget ends the search anyway (explore_config.budgeted), samples
 * continue until it is used up: programs that run until they are asked to stop are cut in every order but a fair one.
 *
 * With store buffers there are no bounds (TruSt is for sequential consistency). Of several workers, each one samples with its own seed, and
 * one of them has the bounds.
 *
 * Papers: Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded programs" (PLDI 2007); trust.md; surw.c.
 * Difference: the next bound repeats what the one before explored (its tree is the same, cut off elsewhere).
 */
#ifndef SIMUL_AUTO_H
#define SIMUL_AUTO_H

#include "explore/search.h"

#define AUTO_FIRST 256        /* the first phase ends after this many executions of the bounded search, */
#define AUTO_FIRST_WORK 32768 /* or after this much work of it */
#define AUTO_AHEAD 2048       /* in the first phase the bounded search may do as much work as the full one, or this much */
#define AUTO_AHEAD_RUNS 16    /* in fewer executions than this */
#define AUTO_LONGEST 2000     /* events: programs with longer executions are left to the full search */
#define AUTO_CUT_SAMPLES 20   /* sampling after a cut full search ends when cut samples outnumber the others by this */
#define AUTO_PART 8           /* after the first phase the full search gets this many times the work of the bounded one */

enum auto_part { PART_FULL, PART_BOUNDED, PART_SAMPLES };

struct auto_search {
	struct explore_stats stats; /* counters of all three together, as explore_stats() returns them */
	struct explore_stats done;  /* sums over the finished bounds */
	uint32_t outlook;           /* enum explore_outlook; the owner of the memory may set it at any time */
	uint32_t part;              /* enum auto_part of the running (or latest) execution */
	uint32_t gone;              /* the bounded search has ended, */
	uint32_t too_long;          /* because an execution was longer than AUTO_LONGEST */
	uint32_t begun;             /* the beginning is over */
	uint64_t first_work, first_full; /* work of the bounded and of the full search during the beginning */
	uint64_t owed;              /* work in events that samples may still use; 0 until the beginning is over */
	struct search bounded, samples;
};

static inline struct auto_search *auto_of(struct search *s)
{
	return (struct auto_search *)((char *)core_arena(&s->core) + (uint64_t)s->auto_search * 8);
}

/* Makes the search in `memory`, which is new and optimal, one of three. Returns false when memory is used up. */
bool auto_create(struct search *s);
/* Makes it one of several workers: its samples differ from those of the others. */
void auto_join(struct search *s);
/* Ends its bounded search: this worker gets its work from others. */
void auto_leave(struct search *s);

/* The one of the three searches to which the planned, running or latest execution belongs. `s` itself where it is the
   only one. */
static inline struct search *auto_running(struct search *s)
{
	struct auto_search *it = auto_of(s);
	if (!s->auto_search)
		return s;
	return it->part == PART_BOUNDED ? &it->bounded : it->part == PART_SAMPLES ? &it->samples : s;
}

#endif
