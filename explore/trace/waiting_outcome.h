/* Threads in spin loops (sched/await.h) at another place of the trace. */
#ifndef SIMUL_WAITING_OUTCOME_H
#define SIMUL_WAITING_OUTCOME_H

#include "explore/trace/feasible.h"
#include "sched/await.h"

/* Where a thread that waits in a spin loop leaves it: a node of the await table, or one of these. */
#define EXIT_NONE 0u             /* it does not leave: it is disabled */
#define EXIT_UNKNOWN UINT32_MAX  /* what it finds is not known */

static inline bool is_waiting(const struct event *e)
{
	return object_is_memory(e->obj[0]) && (e->flags & EVF_AWAIT);
}

/* Sets *v to what the thread of *e has already passed in the loop. All of it is in the thread's own past, so it is the
   same at every place. Of the cut, `self` and `await` count. Returns false when memory is used up. */
bool waiting_visit(struct search *s, const struct event *e, const struct cut *c, struct await_visit *v);

/* Returns the exit of *e (with EVF_AWAIT, in the trace or not) at the end of what is left. *found: fingerprint of the value that it
   finds there, 0 unknown. */
uint32_t waiting_exit(struct search *s, const struct event *e, const struct cut *c, uint32_t *found);

/* Sets *e to its outcome at that place, where it must not be disabled. An unknown outcome becomes a write. */
void waiting_outcome(struct search *s, struct event *e, const struct cut *c);

#endif
