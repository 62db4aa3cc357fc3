/*
 * Spin loops: whether the state of a thread follows from what happened before it.
 *
 * All that sched/await.h knows is about states: at a node, the thread finds a value and does something. That an order
 * of events was not tried is harmless only if the thread is in the same state after the same past. But a state also has
 * bytes and registers that the program does not use. Other code has left values there: simul's own, libc's, or that of
 * a function which has returned. They may differ after the same past. Then no step is left out that starts there.
 */
#ifndef SIMUL_AWAIT_STATES_H
#define SIMUL_AWAIT_STATES_H

#include "explore/search.h"

struct await_table;

/* Call it when the first n nodes of the execution have clocks. Nodes before `from` are those of the execution before.
   Looks for two states of a thread at the same place after the same past, and marks such a place (await_unstable). */
void await_states_look(struct search *s, const struct trace *trace, uint32_t from, uint32_t n);

#endif
