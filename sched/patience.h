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

/* The part of patience_announced for an operation with a deadline. */
void patience_announced_timed(const struct world *w, struct wthread *t);
/* Call it when t has announced an operation, before anything else looks at it. */
static inline void patience_announced(const struct world *w, struct wthread *t)
{
	t->late = false;
	if (t->op.flags & OPF_TIMED)
		patience_announced_timed(w, t);
}
/* Returns whether t's pending operation is a late sleep, which only a late timeout ends. */
static inline bool patience_sleeps(const struct wthread *t)
{
	return t->late && t->op.kind == EV_SLEEP;
}
/* Returns whether the models do not know the timeout (ALT_TIMEOUT) of t's operation. Then it completes *d, which is initialised as for the
   models. */
bool patience_decide_timeout(const struct wthread *t, struct decision *d);
/* The value of struct step.timed_out for an operation of t with outcome d. */
uint64_t patience_given_up(const struct wthread *t, const struct decision *d);
/* The part of patience_choices for executions that are long enough. */
unsigned patience_choices_late(struct world *w, struct choice *c, unsigned n);
/* Keeps only what a forced timeout allows of the choices c[0 .. n). Returns how many are left. */
static inline unsigned patience_choices(struct world *w, struct choice *c, unsigned n)
{
	return w->steps < LATE_WAIT_EVENTS ? n : patience_choices_late(w, c, n);
}

#endif
