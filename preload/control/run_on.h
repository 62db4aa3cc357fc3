/*
 * What an execution does after the search has left it.
 *
 * Where all threads wait and some of them only by rounds of a waiting loop (sched/rounds.h), other executions cover what follows. That holds
 * only if the waiting can end (docs/rounds.md). So the execution runs on: the threads make all their rounds, in a random order. The strategy
 * sees nothing of that. If it does not end, the verdict is weaker. If it fails, the bug is reported.
 */
#ifndef SIMUL_RUN_ON_H
#define SIMUL_RUN_ON_H

#include <stdbool.h>

/* Lets the running execution run on. Returns false if it has too many threads: then it counts as one that does not end. */
bool run_on_begin(void);
/* Returns whether it runs on. */
bool run_on_active(void);
/* Returns the index of the next of n choices. */
unsigned run_on_pick(unsigned n);
/* Call it before the strategy accounts for an execution. If it ran on, this gives it back the trace and the verdict from before that. */
void run_on_end(void);

#endif
