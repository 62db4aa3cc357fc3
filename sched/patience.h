/*
 * Waits that time out late (world_config.patience), such as watchdogs.
 *
 * A wait whose deadline is at least `patience` away when it begins times out only where no thread has another choice. If several waits
 * could time out there, the one with the earliest deadline does; if deadlines are equal, the one of the thread with the smallest id. The
 * timeout is ALT_TIMEOUT with EVF_LATE. For condition and futex waits it is the usual timeout; other timed operations (locks, semaphores,
 * joins), which otherwise try once, become blocking ones.
 *
 * No thread could do anything else there. So everything that other threads did comes before such an event, and everything they do next
 * comes after it. It is dependent with every event and never has another place. Operations on descriptors and waits for signals are not
 * affected.
 */
#ifndef SIMUL_PATIENCE_H
#define SIMUL_PATIENCE_H

#include "sched/world_internal.h"

/* Call it when t has announced an operation, before anything else looks at it. */
void patience_announced(const struct world *w, struct wthread *t);
/* Returns whether alternative `alt` is a timeout that the models do not know. Then it completes *d, which is initialised as for the
   models. */
bool patience_decide(const struct wthread *t, unsigned alt, struct decision *d);
/* The value of struct step.timed_out for an operation of t with outcome d. */
uint64_t patience_given_up(const struct wthread *t, const struct decision *d);

#endif
