/*
 * Robustness: whether sequential consistency allows a trace that was executed with store buffers.
 *
 * It does iff the Shasha-Snir trace has no cycle. Its nodes are the events; a buffered STORE and its UPDATE are one node. Its edges are
 * program order and, between threads, the order of dependent events. A load from its own buffer reads its thread's own store: it comes
 * before the next write of those bytes that reaches memory after that store, and earlier writes of other threads are not ordered before it.
 * See Abdulla et al., "Stateless model checking for TSO and PSO" (TACAS 2015), section 3, and Shasha and Snir, "Efficient and correct
 * execution of parallel programs that share memory" (TOPLAS 1988). On a smallest cycle, each thread has one event, or two in program order.
 * The cycle becomes impossible with fences between those pairs that the model may reorder.
 */
#ifndef SIMUL_ROBUST_H
#define SIMUL_ROBUST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sched/event.h"

#define ROBUST_MOST 32 /* most events of a cycle that are reported */

/* Why one event of a cycle comes before the next. The numbers are part of recordings. */
enum robust_step {
	ROBUST_BEFORE = 0, /* an event of another thread that depends on this one: it read what was written here, wrote over it, ... */
	ROBUST_ORDER,      /* the same thread: program order, which nothing can change */
	ROBUST_LOOSE,      /* program order from a store that may reach memory after the next event, as far as is known */
	ROBUST_DELAYED,    /* program order from a store that did reach memory after the next event */
	ROBUST_STEPS
};

struct robust_cycle {
	uint32_t n;                  /* number of events, in the order of the cycle; the last leads back to the first */
	uint32_t event[ROBUST_MOST]; /* indices into the trace; for a buffered store, its STORE event, never the UPDATE */
	uint8_t step[ROBUST_MOST];   /* enum robust_step: from event[i] to event[i + 1] */
};

/*
 * Returns true when the trace is sequentially consistent. Otherwise *cycle (may be NULL) is a smallest cycle, beginning with a delayed
 * store; if even that has more than ROBUST_MOST events, it holds the first ones, and n is their number. `scratch` provides memory, all of
 * which is released. If it is used up, the trace counts as consistent and *unknown is set (otherwise it is false). Only its own thread sees
 * a store that never reached memory (because the execution ended before). Linear when no event takes effect before an older store of its
 * thread. Otherwise n log n in the part of the trace where that happens; if there is a cycle, times the number of delayed stores.
 */
bool robust_check(const struct event *event, uint32_t n, struct arena *scratch, struct robust_cycle *cycle, bool *unknown);

#endif
