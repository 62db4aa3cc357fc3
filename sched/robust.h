/*
 * Robustness: does sequential consistency allow a trace that was executed with store buffers?
 *
 * It does when the Shasha-Snir trace has no cycle: its nodes are the events, a buffered STORE and its UPDATE taken together as
 * one node; its edges are program order and, between threads, what dependence orders (a load from the own buffer
 * reads the own store: it comes before the next write of those bytes that reaches memory after that store). See Abdulla et al., "Stateless model checking for TSO and
 * PSO" (TACAS 2015), section 3, and Shasha and Snir, "Efficient and correct execution of parallel programs that share memory" (TOPLAS
 * 1988). A fence between the two accesses of a thread on the cycle breaks it.
 */
#ifndef SIMUL_ROBUST_H
#define SIMUL_ROBUST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sched/event.h"

#define ROBUST_MOST 32 /* events of a cycle that are told */

struct robust_cycle {
	uint32_t n;                  /* events on it, in the order of the cycle; the last leads back to the first */
	uint32_t event[ROBUST_MOST]; /* indices into the trace; of a buffered store its STORE event, never the UPDATE */
	bool po[ROBUST_MOST];        /* event[i] comes before event[i + 1] in program order (else: in memory) */
};

/*
 * true: the trace is sequentially consistent. Otherwise *cycle (may be NULL) is a smallest cycle; when even that has more than
 * ROBUST_MOST events its first ones. `scratch` gives memory, all of which is given back; when it is used up the trace counts as
 * consistent and *unknown is set. Stores that never reached memory (the execution ended before) are left out.
 * A trace in which every update comes right after its store costs one pass over the events.
 */
bool robust_check(const struct event *event, uint32_t n, struct arena *scratch, struct robust_cycle *cycle, bool *unknown);

#endif
