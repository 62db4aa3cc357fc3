/* The queue of a condition or futex, reconstructed from its events. */
#ifndef SIMUL_CONDITION_H
#define SIMUL_CONDITION_H

#include "explore/trace/feasible.h"

/* Returns whether, at the end of what the cut leaves, thread t waits on o and there is a wake-up token that it may take. The rules are
   those of sched/model_cond.c: a signal makes a token for the threads that wait at that moment, unless there are as many tokens as
   waiters; a thread takes the oldest token that it may. */
bool condition_eligible(struct search *s, const struct cut *c, object_id o, thread_id t);

/* Counts the waiters of the condition that is obj[0] of node i, after the node was linked into its chains. Do not call it for memory.
   For objects other than conditions the count has no meaning. */
void condition_link(struct search *s, uint32_t i);

#endif
