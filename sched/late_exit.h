/*
 * Late exits (world_config.late_exit).
 *
 * The process ends with status 0 only where nothing else can happen: no thread and no drain agent has another choice. A late timeout
 * (patience.h) comes after the exit. Nothing is lost: what other threads do before a late exit they can do before an early one as well, and
 * an execution with an early exit is the beginning of one with a late exit. What the outside sees of a process that ended early is the only
 * thing that is not explored. Handlers of the exit and their events come before EXIT, and are ordinary. An exit with another status is a
 * failure and is not late.
 *
 * The event is EXIT with EVF_LATE. It comes after every other event, is in no race, and hides none.
 *
 * A thread that never ends would keep the process from ending. So the exit is the only choice (it is *forced*) after LATE_EXIT_EVENTS
 * events of other threads since it was announced, or since a thread ended. What the other threads would do after that is not explored.
 */
#ifndef SIMUL_LATE_EXIT_H
#define SIMUL_LATE_EXIT_H

#include "sched/world_internal.h"

#define LATE_EXIT_EVENTS 200u

/* The part of late_exit_announced for EXIT. */
void late_exit_announced_exit(struct world *w, struct wthread *t);
/* Call it when t has announced an operation, before anything else looks at it. */
static inline void late_exit_announced(struct world *w, struct wthread *t)
{
	if (t->op.kind == EV_EXIT)
		late_exit_announced_exit(w, t);
}
/* Returns whether t's pending operation is a late exit. */
static inline bool late_exit_waits(const struct wthread *t)
{
	return t->late && t->op.kind == EV_EXIT;
}
/* The part of late_exit_performed for the time when a late exit is pending. */
void late_exit_performed_before(struct world *w, const struct wthread *t, const struct event *e);
/* Call it when t has performed e. */
static inline void late_exit_performed(struct world *w, const struct wthread *t, const struct event *e)
{
	if (w->exit_waits)
		late_exit_performed_before(w, t, e);
}
/* The part of late_exit_choices for a forced exit. */
unsigned late_exit_choices_forced(struct world *w, struct choice *c, unsigned n);
/* Returns whether a pending exit is the only choice. */
static inline bool late_exit_forced(const struct world *w)
{
	return w->exit_waits && w->exit_age >= LATE_EXIT_EVENTS && !(w->config.endless && w->config.endless->probe == ENDLESS_RUNS);
}
/* Keeps only what a forced exit allows of the choices c[0 .. n). Returns how many are left. */
static inline unsigned late_exit_choices(struct world *w, struct choice *c, unsigned n)
{
	return n && late_exit_forced(w) ? late_exit_choices_forced(w, c, n) : n;
}

#endif
