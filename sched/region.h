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
 * then comes the next one. It also gives way when it yields, and after REGION_QUANTUM events, so that a thread that waits for another in a loop
 * makes progress. Both kinds of event are dependent with every event (K_ALL): whether the events of other threads fall into a region or not
 * makes two traces.
 */
#ifndef SIMUL_REGION_H
#define SIMUL_REGION_H

#include "sched/world_internal.h"

#define REGION_QUANTUM 1000u

/* The part of region_choices for worlds with an owner, or with regions to explore. */
unsigned region_choices_left(struct world *w, struct choice *c, unsigned n);
/* Removes the choices that regions forbid from c[0 .. n), which are all enabled choices, sorted. Returns how many are left. */
static inline unsigned region_choices(struct world *w, struct choice *c, unsigned n)
{
	if (w->owner != NO_THREAD || w->shut || (w->config.regions && *w->config.regions))
		return region_choices_left(w, c, n);
	w->in_atomic = w->interrupted = w->closed = false;
	return n;
}
/* Call it when t has performed e. */
static inline void region_performed(struct world *w, const struct wthread *t, const struct event *e)
{
	bool gives_way = e->kind == EV_YIELD || e->kind == EV_SLEEP;
	w->owner = (t->atomic || t->section) && t->alive && !gives_way ? t->id : NO_THREAD;
	bool goes_on = w->turn == t->id && !w->exploring && w->streak < REGION_QUANTUM && !(event_kind_flags(e->kind) & K_ALL);
	w->streak = goes_on ? w->streak + 1 : 0;
	w->turn = t->id;
	w->turn_over = gives_way || e->kind == EV_GIVE_WAY;
}

#endif
