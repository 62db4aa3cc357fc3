/*
 * Finds other orders of the same trace: a linear extension of an execution's happens-before order with fewer switches or preemptions.
 * Nothing is run. Dependences are computed from the events (sched/depend.c); which threads are enabled in between is approximate.
 */
#ifndef SIMUL_REORDER_H
#define SIMUL_REORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "replay/cost.h"
#include "sched/event.h"

#define REORDER_EVENTS 3000 /* longer executions are not reordered */

/*
 * Writes an order of minimal cost (`first` decides which cost comes first) to out[], which has room for n: indices into event[]. Returns
 * its length. If `failing` is the thread that ends the execution, the order has only the events that must happen before its last event;
 * with NO_THREAD it has all events. Returns 0 if the execution is too long or has too many orders.
 */
uint32_t reorder(const struct event *event, uint32_t n, thread_id failing, enum cost_order first, uint32_t *out);

#endif
