/* Late exits: see late_exit.h. */
#include "sched/late_exit.h"

#define GIVE_WAY_EVENTS 50u /* a GIVE_WAY stands for very many accesses, and counts as this many events */

void late_exit_announced_exit(struct world *w, struct wthread *t)
{
	if (!w->config.settings.late_exit || t->op.arg[0])
		return;
	t->late = true;
	w->exit_waits = true;
	w->exit_age = 0;
}

void late_exit_performed_before(struct world *w, const struct wthread *t, const struct event *e)
{
	if (e->kind == EV_THREAD_EXIT) {
		w->exit_age = 0;
	} else if (e->kind != EV_EXIT) {
		w->exit_age += e->kind == EV_GIVE_WAY ? GIVE_WAY_EVENTS : 1;
		w->exit_behind = t->id;
	}
}

/* The exit that is performed first: that of the thread with the smallest id. NULL: none is pending, or stores are still buffered. */
static const struct wthread *first_exit(const struct world *w)
{
	if (!w->exit_waits || w->buffered)
		return NULL;
	for (uint32_t i = 0; i < w->n_live; i++) {
		const struct wthread *t = w->thread[w->live[i]];
		if (t->has_op && late_exit_waits(t))
			return t;
	}
	return NULL;
}

unsigned world_exit(struct world *w, struct choice *out)
{
	const struct wthread *t = first_exit(w);
	if (!t)
		return 0;
	w->config.trace->alts[t->id] |= 1u << ALT_NORMAL;
	*out = (struct choice){ .thread = t->id, .alt = ALT_NORMAL };
	return 1;
}

thread_id world_cut_short(const struct world *w)
{
	return late_exit_forced(w) ? w->exit_behind : NO_THREAD;
}

unsigned late_exit_choices_forced(struct world *w, struct choice *c, unsigned n)
{
	unsigned agents = 0;
	if (world_exit(w, c))
		return 1;
	for (unsigned k = 0; w->buffered && k < n; k++)
		if (is_agent(c[k].thread))
			c[agents++] = c[k];
	return agents ? agents : n;
}
