/*
 * Regions that a program marks (include/simul.h).
 *
 * Atomic: between ATOMIC_BEGIN and ATOMIC_END of a thread no other thread has choices, as long as the thread can go on. Where it
 * cannot (its operation is blocked, waits in a spin loop, or could only time out) the others have theirs, and the thread
 * when it can go on again; when it is picked, it is alone once more, as in SPIN. YIELD and SLEEP let others go on as well. Its stores go
 * straight to memory: nobody could tell the difference, and its buffer is empty at both ends.
 *
 * To explore: EXPLORE_BEGIN and EXPLORE_END, of any threads, are counted. Where none is open the world is *closed*: each state has one
 * choice (all values of a CHOOSE), a function of the state alone. The thread of the last event goes on while it can; then
 * comes the next one. It also gives way when it yields, and after QUANTUM events, so that whoever waits for another in a loop gets
 * what it waits for. Both kinds of event are dependent with every event (K_ALL): so what others do falls into a region or not, and that
 * is two traces.
 */
#ifndef SIMUL_REGION_H
#define SIMUL_REGION_H

#include "sched/world_internal.h"

/* Takes the choices out that regions forbid: c[0 .. n) are all that are enabled, sorted. Returns how many are left. */
unsigned region_choices(struct world *w, struct choice *c, unsigned n);
/* t has performed e. */
void region_performed(struct world *w, struct wthread *t, const struct event *e);

#endif
