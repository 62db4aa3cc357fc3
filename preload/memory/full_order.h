/*
 * Happens-before of the program, for data races in searches with sections as steps (sched/section.h).
 *
 * There ctl_hb does not order two steps of a mutex, so that accesses that only they order become visible. In the
 * program each unlock comes before the next lock of the mutex. This order is kept beside ctl_hb, with the same epochs.
 * Elsewhere ctl_hb is the only order.
 */
#ifndef SIMUL_FULL_ORDER_H
#define SIMUL_FULL_ORDER_H

#include "sched/history.h"

/* Makes the second order, if sections may be steps. Returns false when the arena is too small. */
bool full_order_init(struct arena *a);
/* Like hb_event, hb_fence and hb_new_epoch of ctl_hb, for both orders. */
void full_order_event(const struct event *e);
void full_order_fence(thread_id t, bool acquire, bool release);
uint32_t full_order_new_epoch(thread_id t);
/* Returns whether `first` happens before `second`, which its thread performs now and which ctl_hb does not order with
   it. */
bool full_order_has(const struct past *first, const struct past *second);

#endif
