/*
 * Waits that time out late (world_config.patience, world_config.discrete_time).
 *
 * A late wait times out only where no thread has another choice. If several waits could time out there, the one with the earliest deadline
 * does; if deadlines are equal, the one of the thread with the smallest id. The timeout is ALT_TIMEOUT with EVF_LATE. For condition and
 * futex waits it is the usual timeout; other timed operations (locks, semaphores, joins), which otherwise try once, become blocking ones.
 *
 * - With `patience`, a wait is late if its deadline is at least that far away when it begins. Watchdogs are such waits. Sleeps, operations
 *   on descriptors and waits for signals are not affected.
 * - With `discrete_time`, all of them are late if their deadline is in the future: time passes only when nothing else can happen.
 *
 * No thread could do anything else there. So everything that other threads did comes before such an event, and everything they do next
 * comes after it. It is dependent with every event and never has another place.
 *
 * With `discrete_time` a thread that never waits would stop time. So the timeout is the only choice (it is *forced*) once LATE_WAIT_EVENTS
 * events happened since the wait with the earliest deadline began. What other threads could do before a forced timeout is not explored.
 */
#ifndef SIMUL_PATIENCE_H
#define SIMUL_PATIENCE_H

#include "sched/world_internal.h"

#define LATE_WAIT_EVENTS 2000u

/* Call it when t has announced an operation, before anything else looks at it. */
void patience_announced(const struct world *w, struct wthread *t);
/* Returns whether t's pending operation is a late sleep, which only a late timeout ends. */
static inline bool patience_sleeps(const struct wthread *t)
{
	return t->late && t->op.kind == EV_SLEEP;
}
/* Returns whether alternative `alt` is a timeout that the models do not know. Then it completes *d, which is initialised as for the
   models. */
bool patience_decide(const struct wthread *t, unsigned alt, struct decision *d);
/* The value of struct step.timed_out for an operation of t with outcome d. */
uint64_t patience_given_up(const struct wthread *t, const struct decision *d);
/* Keeps only what a forced timeout allows of the choices c[0 .. n). Returns how many are left. */
unsigned patience_choices(struct world *w, struct choice *c, unsigned n);

#endif
