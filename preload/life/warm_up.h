/*
 * Warm-up: executions discover how many threads the program needs, which memory is shared (sched/memory.h) and where threads spin
 * (sched/await.h). Each discovery ("news") changes which operations are events, so the search restarts with it, and earlier executions do
 * not count. The tables only grow, so the warm-up ends. After many restarts simul stops it: the search continues with the tables as they
 * are, and is incomplete.
 *
 * After the first news, random schedules (explore/sampling/exploratory.h) run until they find nothing new. They meet contention early that the
 * search would meet late.
 */
#ifndef SIMUL_WARM_UP_H
#define SIMUL_WARM_UP_H

#include <stdbool.h>
#include <stdint.h>

/* Returns whether warm_up_ended() may restart the search after the execution that just ended. Then the zygote must call it, since all
   later executions descend from the zygote. */
bool warm_up_news(void);
/* Call it after an execution, before the strategy is informed of its end. Returns true if the execution does not count and another search
   has started; run_strategy is attached to the new search. */
bool warm_up_ended(void);
/* Restarts a search whose state is inconsistent, with everything discovered so far. Its executions do not count. Returns false if there is
   no room. */
bool warm_up_restart(void);
/* Call it after an execution, before warm_up_ended(). Returns whether its trace belongs to the search. A trace of the warm-up does not. Nor
   does a trace that met a spin loop for the first time: the iterations are events in this trace, but not in later ones. */
bool warm_up_settled(void);

#endif
