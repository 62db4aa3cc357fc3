/* What sched/endless.h keeps at each step. While no thread has a limit and none is probed, that is little. */
#ifndef SIMUL_ENDLESS_STEP_H
#define SIMUL_ENDLESS_STEP_H

#include "sched/rounds.h"
#include "sched/world_internal.h"

/* t has announced its operation. */
static inline void endless_step_announced(const struct world *w, struct wthread *t)
{
	t->limit = 0;
	t->begun = false;
	if (w->config.endless && w->config.endless->n)
		endless_announced(w, t);
}

/* t performs *e now. Call it before the locks that t holds change. */
static inline void endless_step_performed(struct world *w, struct wthread *t, const struct event *e)
{
	const struct endless_limits *l = w->config.endless;
	if (!l)
		return;
	if (l->n || l->probe != ENDLESS_OFF)
		endless_performed(w, t, e);
	t->begun = true;
	bool round = t->rounds && rounds_closed(t); /* turns that change nothing are left out (rounds.h) */
	w->in_a_row = round ? 0 : t->id == w->latest ? w->in_a_row + 1 : 1;
	w->latest = t->id;
	if (e->kind == EV_GIVE_WAY) {
		t->gives += t->gives < ENDLESS_GIVES;
	} else {
		t->gives = 0;
		t->latest_pc = t->op.pc;
	}
}

#endif
