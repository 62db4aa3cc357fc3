/*
 * Lets an execution continue after the search has left it: the execution "runs on".
 *
 * The search leaves an execution in which all threads wait, some of them only by rounds of a waiting loop (sched/rounds.h): other
 * executions cover what follows. That holds only if the waiting can end (docs/rounds.md). So the execution runs on, and the threads make
 * all their rounds, in a random order. The strategy does not see these rounds. If the execution does not end, the verdict is weaker. If it
 * fails, the bug is reported.
 */
#ifndef SIMUL_RUN_ON_H
#define SIMUL_RUN_ON_H

#include <stdbool.h>

#include "sched/choice.h"

/* Lets the running execution run on. Returns false if it has too many threads; then it counts as an execution that does not end. */
bool run_on_begin(void);
/* Returns whether the execution runs on. */
bool run_on_active(void);
/* Returns the index of the next of n choices. */
unsigned run_on_pick(const struct choice *choices, unsigned n);
/* Call it before each choice. If a thread has made many turns of a loop, the execution runs on, and the thread runs alone until it is known whether
   the loop ends by itself (enum rounds_probe). Then this function ends the execution. The search restarts with what was found. */
void run_on_probe(void);
/* Returns whether the execution runs on for that. */
bool run_on_probes(void);
/* Call it before the strategy accounts for an execution. If the execution ran on, restores its trace to the point where that began, and
   sets its verdict to "covered". */
void run_on_end(void);

#endif
