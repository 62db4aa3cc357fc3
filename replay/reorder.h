/*
 * Other orders of the same trace: a linear extension of an execution's happens-before with fewer switches or preemptions. Nothing is run; what
 * depends on what is known from the events (sched/depend.c), who is enabled in between only nearly.
 */
#ifndef SIMUL_REORDER_H
#define SIMUL_REORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/cost.h"
#include "sched/event.h"

#define REORDER_EVENTS 3000 /* of longer executions no other order is looked for */

/*
 * Writes the order of the smallest cost (with that first) to out[] (room for n): indices into event[]. Returns how many there are: with
 * `failing` a thread that ends the execution, only what has to happen before its last event; with NO_THREAD all of them.
 * 0: the execution is too long, or has too many orders.
 */
uint32_t reorder(const struct event *event, uint32_t n, thread_id failing, enum cost_order first, uint32_t *out);

#endif
