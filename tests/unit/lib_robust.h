/* Hand-made traces for the tests of robustness, and the check of a trace. */
#ifndef SIMUL_TESTS_LIB_ROBUST_H
#define SIMUL_TESTS_LIB_ROBUST_H

#include "sched/robust.h"

#define TRACED_MOST 400000
#define TRACED_AGENT(t) ((thread_id)(MAX_THREADS + (t)))

extern struct event traced[TRACED_MOST];
extern uint32_t n_traced;
extern struct robust_cycle trace_cycle; /* of the last check */

/* Starts an empty trace. */
void trace_start(void);
/* Appends an event and returns it for further changes. */
struct event *trace_add(thread_id t, unsigned kind, unsigned mode);
/* Makes e an access to bytes [at, at + size), which lie in one cell or two. */
struct event *trace_bytes(struct event *e, unsigned at, unsigned size);
/* Appends a store to the buffer of `agent`. */
void trace_store_by(thread_id t, thread_id agent, unsigned at, unsigned size);
void trace_on_object(thread_id t, unsigned kind, unsigned mode, object_id o);
/* Returns whether the trace is robust, and checks that nothing is unknown and all memory was freed. */
bool trace_is_robust(void);

#endif
