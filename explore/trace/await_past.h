/*
 * Spin loops: what a thread could have found before it came, in this execution, to where it waits.
 *
 * A thread at a spin loop appears at one place although it could have moved on (sched/await.h). await_watch checks that
 * this makes no difference for all values that the thread could find since it came there. An execution is one order of
 * its trace. In another one the thread comes there earlier: as soon as the events have happened that happen before its
 * latest own event. So the values count that other threads have written since then.
 */
#ifndef SIMUL_AWAIT_PAST_H
#define SIMUL_AWAIT_PAST_H

#include "explore/search.h"

struct await_table;

/* strategy_ops.look of a search of all traces; `self` is its struct search. Checks the waiting operations that are new
   in the execution. May make edges of the table visible (its `changes`). Sets AWAIT_PAST among its doubts if a value is
   not known. */
void awaits_look_back(void *self, const struct trace *trace);

#endif
