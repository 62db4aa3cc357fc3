/* The queue of a condition or futex, replayed from its events. */
#ifndef SIMUL_CONDITION_H
#define SIMUL_CONDITION_H

#include "explore/feasible.h"

/* Does thread t wait on o, and is there a wake-up token that it may take, at the end of what is left?
   The rules are those of the world (sched/model_cond.c): a signal makes a token for those who wait at that
   moment, unless there are as many tokens as waiters; whoever comes takes the oldest that it may. */
bool condition_eligible(struct search *s, const struct cut *c, object_id o, thread_id t);

/* Counts who waits on the condition that is obj[0] of node i, when it has been linked into its chains. Not for memory; for other
   objects it means nothing. */
void condition_link(struct search *s, uint32_t i);

#endif
