/* The order in which choices are taken where nothing is planned. */
#ifndef SIMUL_NEXT_THREAD_H
#define SIMUL_NEXT_THREAD_H

#include "explore/search.h"

/*
 * Returns the index of the choice to take at node i (the topmost), among those not asleep; -1 when all sleep.
 *
 * The current thread continues while it can (fewest preemptions), else the next in round-robin order runs. Threads that just yielded or
 * slept, and waits that would end without being woken, come last. Among those, the least recently run goes first, so that polling threads
 * give way to each other. A shuffle replaces this order by a seeded one. Every order must give the same set of traces.
 */
int order_pick(struct search *s, uint32_t i, const struct sched_view *view);

/* Like order_pick, among the choices k with out[k] == 0; NULL: all. */
int order_pick_among(struct search *s, uint32_t i, const struct sched_view *view, const uint8_t *out);

/* Records that thread t ran the event at position i. Returns false when memory is used up. */
bool order_note(struct search *s, thread_id t, uint32_t i);

#endif
