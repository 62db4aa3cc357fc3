/* Checks of the world: a self-check of what must hold between its structures after every step, and the locks that a thread holds. */
#ifndef SIMUL_LIB_VALID_H
#define SIMUL_LIB_VALID_H

#include "sched/world.h"

/* Panics (INVARIANT) when the world's structures contradict each other. */
void world_valid(const struct world *w);

/* Writes at most n of the mutexes and rwlocks that t holds. Returns how many t holds. */
unsigned world_held(const struct world *w, thread_id t, object_id *out, unsigned n);

#endif
