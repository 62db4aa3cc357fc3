/*
 * Rounds of waiting loops that contain events: try a lock and yield; lock, look at a flag, unlock and sleep. docs/rounds.md argues that no
 * behaviour is lost.
 *
 * An operation may be announced with a *state* (op.state): a hash of everything that decides what its thread does next. If the thread comes
 * back to a state, and has done nothing but wait in between, it has made a *round*. Left out, all other threads would do the same, and so
 * would the thread itself afterwards. So the thread goes no further: its operation is not enabled any more, and shown as WAITING. A search
 * of all traces finds the other executions, in which the thread looks later, by the races of the round's own events.
 *
 * To wait means: yields and sleeps; tries that fail; loads, and compare-and-swaps that fail; locks that are taken and given back, if no
 * try of another thread failed because of that.
 */
#ifndef SIMUL_ROUNDS_H
#define SIMUL_ROUNDS_H

#include <stdbool.h>

struct world;
struct wthread;
struct event;

/* t has announced its operation. */
void rounds_announced(struct world *w, struct wthread *t);
/* *e was performed. Call it before its objects count as changed. */
void rounds_performed(struct world *w, struct wthread *t, const struct event *e);
/* Returns whether t goes no further. */
bool rounds_over(const struct world *w, const struct wthread *t);
/* Returns whether t would go no further if rounds were left out in this execution. */
bool rounds_matter(const struct wthread *t);

#endif
