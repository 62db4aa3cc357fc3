/*
 * Robustness: does sequential consistency allow a trace that was executed with store buffers?
 *
 * It does when the Shasha-Snir trace has no cycle: its nodes are the events, a buffered STORE and its UPDATE taken together as
 * one node; its edges are program order and, between threads, what dependence orders. A load from the own buffer
 * reads the own store: it comes before the next write of those bytes that reaches memory after that store, and others' writes do
 * not come before it. See Abdulla et al., "Stateless model checking for TSO and PSO" (TACAS 2015), section 3, and Shasha and
 * Snir, "Efficient and correct execution of parallel programs that share memory" (TOPLAS 1988). On a smallest cycle each thread
 * does one thing or two, one after the other; fences between those that the model may take in another order make the
 * cycle impossible.
 */
#ifndef SIMUL_ROBUST_H
#define SIMUL_ROBUST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sched/event.h"

#define ROBUST_MOST 32 /* events of a cycle that are told */

/* Why one event of a cycle comes before the next one. The numbers are part of recordings. */
enum robust_step {
	ROBUST_BEFORE = 0, /* another thread's, and it depends on this one: it read what was written here, wrote over it, ... */
	ROBUST_ORDER,      /* the same thread's: program order, which nothing can change */
	ROBUST_LOOSE,      /* program order: a store, and nothing is known that keeps it from reaching memory after the next one */
	ROBUST_DELAYED,    /* the same, and that is what happened */
	ROBUST_STEPS
};

struct robust_cycle {
	uint32_t n;                  /* events on it, in the order of the cycle; the last leads back to the first */
	uint32_t event[ROBUST_MOST]; /* indices into the trace; of a buffered store its STORE event, never the UPDATE */
	uint8_t step[ROBUST_MOST];   /* enum robust_step: from event[i] to event[i + 1] */
};

/*
 * true: the trace is sequentially consistent. Otherwise *cycle (may be NULL) is a smallest cycle, beginning with a delayed store; when
 * even that has more than ROBUST_MOST events, its first ones, and n counts those. `scratch` gives memory, all of which is
 * given back; when it is used up the trace counts as consistent and *unknown is set (otherwise it is false). A store that never
 * reached memory (the execution ended before) is seen by its own thread only.
 * Linear when no event takes effect before an older store of its thread; otherwise n log n in the part of the trace where
 * that is so, and when there is a cycle, that times the number of delayed stores.
 */
bool robust_check(const struct event *event, uint32_t n, struct arena *scratch, struct robust_cycle *cycle, bool *unknown);

#endif
