/* Regions that a program marks: see region.h. */
#include "sched/choice.h"
#include "sched/region.h"

bool world_atomic(const struct world *w)
{
	return w->in_atomic;
}

bool world_interrupted(const struct world *w)
{
	return w->interrupted;
}

bool world_closed(const struct world *w)
{
	return w->closed;
}

void world_shut(struct world *w, bool shut)
{
	w->shut = shut;
}

static uint32_t *nested(struct world *w, thread_id t, unsigned kind)
{
	return &w->thread[t]->nested[kind == REGION_ATOMIC];
}

bool world_region_begin(struct world *w, thread_id t, unsigned kind)
{
	return ++*nested(w, t, kind) == 1;
}

int world_region_end(struct world *w, thread_id t, unsigned kind)
{
	uint32_t *n = nested(w, t, kind);
	return *n ? (int)--*n : -1;
}

static bool gives_up(const struct choice *c)
{
	return c->alt == ALT_TIMEOUT || c->alt == ALT_SPURIOUS;
}

/* Keeps only the choices of t. Returns 0 when t can only time out or wake up spuriously. */
static unsigned only(thread_id t, struct choice *c, unsigned n)
{
	unsigned found = 0;
	bool goes_on = false;
	for (unsigned k = 0; k < n; k++)
		goes_on |= c[k].thread == t && !gives_up(&c[k]);
	for (unsigned k = 0; goes_on && k < n; k++)
		if (c[k].thread == t)
			c[found++] = c[k];
	return found;
}

/* The order of choices where nothing is explored: the smallest comes first. */
static uint32_t rank(const struct world *w, const struct choice *c)
{
	if (is_agent(c->thread))
		return 0;
	thread_id from = w->turn == NO_THREAD ? 0 : w->turn;
	uint32_t turns = (uint16_t)(c->thread - from - (w->turn_over || w->streak >= REGION_QUANTUM));
	return (gives_up(c) ? 1u << 24 : 0) + turns * ALT_COUNT + c->alt + 1;
}

/* Keeps one choice, or the values of one CHOOSE. */
static unsigned first_alone(const struct world *w, struct choice *c, unsigned n)
{
	unsigned best = 0, left = 0;
	for (unsigned k = 1; k < n; k++)
		if (rank(w, &c[k]) < rank(w, &c[best]))
			best = k;
	struct choice first = c[best];
	bool values = !is_agent(first.thread) && first.alt == ALT_NORMAL && w->thread[first.thread]->op.kind == EV_CHOOSE;
	for (unsigned k = 0; k < n; k++)
		if (c[k].thread == first.thread && (c[k].alt == first.alt || (values && choose_is_part(c[k].alt))))
			c[left++] = c[k];
	return left;
}

unsigned region_choices_left(struct world *w, struct choice *c, unsigned n)
{
	unsigned own = w->owner == NO_THREAD ? 0 : only(w->owner, c, n);
	w->in_atomic = own != 0;
	w->interrupted = w->owner != NO_THREAD && !own;
	w->closed = w->shut || (w->config.regions && (*w->config.regions & REGION_EXPLORE) && !w->exploring);
	n = own ? own : n;
	return w->closed && n ? first_alone(w, c, n) : n;
}

static void region_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
}

static void region_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	if (t->op.kind == EV_ATOMIC_BEGIN || t->op.kind == EV_ATOMIC_END)
		t->atomic = t->op.kind == EV_ATOMIC_BEGIN;
	else
		w->exploring += t->op.kind == EV_EXPLORE_BEGIN ? 1u : ~0u;
}

const struct model model_region = { region_decide, region_apply };
