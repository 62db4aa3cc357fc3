/*
 * The order of threads that take turns in passes, each thread once in a pass, in one order that is the same in all passes but unknown
 * (libfthread, fair/conduct.c).
 *
 * The order of two threads is open until an event of one and an event of the other in the same pass are dependent. Then the first of these two
 * events decides it for all later passes. Decided orders are transitive. So any execution of the passes that respects them is equivalent to one
 * in which all threads have their turns in some total order: that order contains what was decided, and turns that are independent commute.
 * What is decided depends only on the happens-before of earlier passes, so all executions of a trace decide the same.
 */
#ifndef SIMUL_FIXED_ORDER_H
#define SIMUL_FIXED_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "sched/strategy.h"

#define FIXED_ORDER_MEMBERS 64u

/* All zero: no members, nothing decided. */
struct fixed_order {
	uint64_t present;                     /* members, one bit each */
	thread_id thread[FIXED_ORDER_MEMBERS];
	uint64_t before[FIXED_ORDER_MEMBERS]; /* [m]: the members that are known to come before m */
	uint32_t pass_from;                   /* the first event of the pass */
};

/* Makes thread t member m. Returns false if m is out of range. */
bool fixed_order_join(struct fixed_order *f, uint64_t m, thread_id t);
/* A pass begins. */
void fixed_order_begin(struct fixed_order *f, const struct trace *trace);
/* A pass has ended; decides what its events decide. all: some of its accesses may be missing in the trace, so the order of all its turns is
   decided as it was. */
void fixed_order_end(struct fixed_order *f, const struct trace *trace, bool all);

#endif
