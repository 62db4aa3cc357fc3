/*
 * Threads that wait for each other in a circle: each needs a lock that the next one holds, or its end. They wait for ever, whatever other
 * threads do. Threads that wait for work (a condition, a semaphore, a descriptor, a flag in memory) are in no circle, nor are waits that time out.
 *
 * A word of the program's own is a spin lock here if the thread spins on it with one compare-and-swap or exchange, and if the thread that took
 * it always was the one that gave it back. (A word that one thread fills and another one empties is no lock.)
 */
#ifndef SIMUL_CIRCLE_H
#define SIMUL_CIRCLE_H

#include "sched/world.h"

/* Writes the threads of one circle to out, each followed by the one that it waits for. Returns how many they are, which may be more than max; 0:
   there is no circle. */
unsigned world_circle(const struct world *w, thread_id *out, unsigned max);

#endif
