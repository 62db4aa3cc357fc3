/*
 * Regions that a program marks (include/simul.h).
 *
 * Atomic: between ATOMIC_BEGIN and ATOMIC_END of a thread, no other thread has choices as long as this thread can continue. When it cannot
 * (its operation is blocked, waits in a spin loop, or could only time out), the other threads have choices, and this one as well once it
 * can continue. When it is picked, it is alone again, as in SPIN. YIELD and SLEEP also let other threads run. Stores in the region go to
 * memory directly: no thread could see a difference, and the buffer is empty at both ends.
 *
 * To explore: EXPLORE_BEGIN and EXPLORE_END, of any threads, are counted. While no such region is open, the world is *closed*: each state
 * has one choice (all values of a CHOOSE), which is a function of the state alone. The thread of the last event continues while it can;
 * then comes the next one. It also gives way when it yields, and after QUANTUM events, so that a thread that waits for another in a loop
 * makes progress. Both kinds of event are dependent with every event (K_ALL): whether the events of other threads fall into a region or not
 * makes two traces.
 */
#ifndef SIMUL_REGION_H
#define SIMUL_REGION_H

#include "sched/world_internal.h"

/* Removes the choices that regions forbid from c[0 .. n), which are all enabled choices, sorted. Returns how many are left. */
unsigned region_choices(struct world *w, struct choice *c, unsigned n);
/* Call it when t has performed e. */
void region_performed(struct world *w, struct wthread *t, const struct event *e);

#endif
