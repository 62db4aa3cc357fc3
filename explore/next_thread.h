/* Which thread to run where nothing is prescribed. */
#ifndef SIMUL_NEXT_THREAD_H
#define SIMUL_NEXT_THREAD_H

#include "explore/search.h"

/*
 * Index of the choice to take freely at node i (the topmost), among those not asleep; -1 when all are.
 *
 * The current thread goes on while it can (fewest preemptions), else the next in round-robin order. Not
 * preferred: a thread that just yielded or slept, and waits that would end without being woken; among
 * those the least recently run goes first, so that threads that poll give way to each other. A shuffle
 * replaces the order by a seeded one; every order must give the same set of traces.
 */
int order_pick(struct search *s, uint32_t i, const struct sched_view *view);

/* The same among the choices k without out[k]; NULL: all. */
int order_pick_among(struct search *s, uint32_t i, const struct sched_view *view, const uint8_t *out);

/* Notes that thread t ran the event at position i. */
bool order_note(struct search *s, thread_id t, uint32_t i);

#endif
