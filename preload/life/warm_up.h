/*
 * What executions teach about the program before it can be searched: how many threads it needs, which memory is shared
 * (sched/memory.h), where threads spin (sched/await.h). Each piece of news changes what is an event, so the search starts
 * again with it; the executions before do not count. What is learnt only grows, so this comes to an end; after many
 * starts it is broken off: the search goes on with what is known by then, and is incomplete.
 *
 * After the first news a number of random schedules (explore/exploratory.h) are run, until they bring nothing new: contention that the search
 * would come to late is met there early.
 */
#ifndef SIMUL_WARM_UP_H
#define SIMUL_WARM_UP_H

#include <stdbool.h>
#include <stdint.h>

/* Is the execution that just ended one after which learn() may change the search? Then the zygote must call it, from which all later
   executions descend. */
bool learn_news(void);
/* After an execution, before the strategy hears of its end. true: it does not count, another search was begun (attach to it
   anew: run_strategy was set). */
bool learn(void);
/* The search was left in the middle of a change: it starts again with what was learnt. Its executions do not count. false: there is no room. */
bool learn_again(void);
/* After an execution, before learn(): is its trace one of the search? Not while the program is being learnt about, nor when it
   met a spin loop for the first time: rounds of that are events in it, and will not be. */
bool learn_settled(void);

#endif
