/*
 * Order by objects. Each object keeps the last step of each agent in each access mode. A new step comes after those steps that
 * its mode depends on.
 */
#include <stdlib.h>

#include "base/xalloc.h"
#include "recorder/order/order_internal.h"

/* ---- memory objects that share bytes ---- */

static int by_address(const void *a, const void *b, void *recording)
{
	const struct recording *r = recording;
	const struct rec_object *x = &r->objects[*(const object_id *)a - 1], *y = &r->objects[*(const object_id *)b - 1];

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void meet(struct order_walk *w, object_id a, object_id b)
{
	struct object_state *s = &w->object[a - 1];

	s->near = xgrow(s->near, s->n_near, sizeof(*s->near));
	s->near[s->n_near++] = b;
}

void order_find_near(struct order_walk *w)
{
	const struct recording *r = w->r;
	object_id *sorted = xcalloc(r->n_objects, sizeof(*sorted));
	size_t n = 0;

	for (size_t i = 0; i < r->n_objects; i++)
		if (r->objects[i].kind == OBJ_MEMORY)
			sorted[n++] = (object_id)(i + 1);
	qsort_r(sorted, n, sizeof(*sorted), by_address, (void *)r);
	for (size_t i = 0; i < n; i++) {
		const struct rec_object *x = &r->objects[sorted[i] - 1];
		for (size_t k = i + 1; k < n && r->objects[sorted[k] - 1].addr < x->addr + x->size; k++) {
			meet(w, sorted[i], sorted[k]);
			meet(w, sorted[k], sorted[i]);
		}
	}
	free(sorted);
}

/* ---- predecessors of a step ---- */

static bool writes(unsigned mode)
{
	return mode == M_WRITE;
}

/* Returns the reason why a step with this mode comes after the last step with mode `before`, on an object of this kind. */
static unsigned why_of(unsigned kind, unsigned before, unsigned mode)
{
	bool released = before == M_REL || before == M_RDREL, takes = mode == M_ACQ || mode == M_RDACQ;

	switch (kind) {
	case OBJ_MEMORY:
		return writes(before) ? ORDER_READS : ORDER_OTHER;
	case OBJ_MUTEX:
	case OBJ_SPIN:
	case OBJ_RWLOCK:
		return released && takes ? ORDER_LOCK : ORDER_OTHER;
	case OBJ_THREAD:
		return released && takes ? ORDER_JOIN : ORDER_OTHER;
	case OBJ_ONCE:
		return released ? ORDER_ONCE : ORDER_OTHER;
	case OBJ_FD:
		return released && (takes || mode == M_READ) ? ORDER_DATA : ORDER_OTHER;
	case OBJ_BARRIER:
		return before == M_ARRIVE && mode == M_LAST ? ORDER_BARRIER : ORDER_OTHER;
	default:
		return ORDER_OTHER;
	}
}

/* Returns whether two steps are ordered by program order or by the store buffer, so that objects add no order. Includes an update and a
   step of the storing thread, but not two updates. */
static bool same_family(const struct recording *r, size_t a, size_t b)
{
	return r->steps[a].thread == r->steps[b].thread && (r->steps[a].kind != EV_UPDATE || r->steps[b].kind != EV_UPDATE);
}

/* As in sched/depend.c: by modes, except that futexes are first in, first out, and futex wakes return how many threads they woke. */
static bool dependent(const struct order_walk *w, const struct touch *t, size_t i, unsigned mode)
{
	unsigned a = w->r->steps[t->step].kind, b = w->r->steps[i].kind;

	return modes_dependent(t->mode, 0, mode, 1) || (a == EV_FUTEX_WAIT && b == a && t->mode == M_ENQ && mode == M_ENQ) ||
	       (a == EV_FUTEX_WAKE && b == a && (t->woke || w->r->steps[i].result));
}

/* Proposes the steps that step i comes after because of object o, and sets *latest to the last of them if it is later. */
static void look_at(struct order_walk *w, size_t i, unsigned mode, object_id o, size_t *latest)
{
	const struct object_state *s = &w->object[o - 1];

	for (size_t k = 0; k < s->n; k++) {
		const struct touch *t = &s->touch[k];
		if (!dependent(w, t, i, mode))
			continue;
		if (*latest == NO_STEP || t->step > *latest)
			*latest = t->step;
		if (!same_family(w->r, t->step, i))
			order_propose(w, t->step, ORDER_OTHER);
	}
}

static bool reads_memory(const struct rec_step *s)
{
	return s->kind == EV_LOAD || s->kind == EV_RMW;
}

static unsigned touched(const struct order_walk *w, size_t step, object_id o, unsigned kind)
{
	const struct rec_step *s = &w->r->steps[step];

	if (kind == OBJ_MEMORY) /* the access may name the bytes through another object */
		return order_mode(w->r, s, s->obj[0] && w->r->objects[s->obj[0] - 1].kind == OBJ_MEMORY ? 0 : 1);
	return order_mode(w->r, s, s->obj[0] == o ? 0 : 1);
}

void order_after_object(struct order_walk *w, size_t i, int k)
{
	const struct rec_step *s = &w->r->steps[i];
	object_id o = s->obj[k];
	unsigned mode = order_mode(w->r, s, k), kind = o && o <= w->r->n_objects ? w->r->objects[o - 1].kind : OBJ_NONE, why;
	size_t latest = NO_STEP;

	if (mode == M_NONE)
		return;
	look_at(w, i, mode, o, &latest);
	for (size_t n = 0; n < w->object[o - 1].n_near; n++)
		look_at(w, i, mode, w->object[o - 1].near[n], &latest);
	if (latest != NO_STEP && !same_family(w->r, latest, i)) {
		why = why_of(kind, touched(w, latest, o, kind), mode);
		if (why != ORDER_READS || reads_memory(s))
			order_propose(w, latest, why);
	}
	if (kind == OBJ_BARRIER && mode == M_LAST) /* after all arrivals of the round */
		for (size_t n = 0; n < w->object[o - 1].n; n++)
			if (w->object[o - 1].touch[n].mode == M_ARRIVE)
				order_propose(w, w->object[o - 1].touch[n].step, ORDER_BARRIER);
}

void order_note_touch(struct order_walk *w, size_t i, int k)
{
	object_id o = w->r->steps[i].obj[k];
	unsigned mode = order_mode(w->r, &w->r->steps[i], k);
	bool woke = w->r->steps[i].kind == EV_FUTEX_WAKE && w->r->steps[i].result;
	struct object_state *s;

	if (mode == M_NONE)
		return;
	s = &w->object[o - 1];
	if (mode == M_LAST) /* the round is over: its arrivals no longer matter */
		for (size_t n = s->n; n-- > 0;)
			if (s->touch[n].mode == M_ARRIVE)
				s->touch[n] = s->touch[--s->n];
	for (size_t n = 0; n < s->n; n++)
		if (s->touch[n].agent == w->o->agent[i] && s->touch[n].mode == mode && s->touch[n].woke == woke) {
			s->touch[n].step = i;
			return;
		}
	s->touch = xgrow(s->touch, s->n, sizeof(*s->touch));
	s->touch[s->n++] = (struct touch){ w->o->agent[i], i, (uint8_t)mode, woke };
}
