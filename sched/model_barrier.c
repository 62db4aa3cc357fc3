/*
 * Barriers, and one-time initialisation.
 *
 * The thread that completes a barrier's round is the one that gets PTHREAD_BARRIER_SERIAL_THREAD, as with
 * glibc: arrivals that do not complete a round are independent of each other.
 *
 * The search counts how many arrivals complete a round of an object, and takes it that this does not change. So a barrier that is initialised
 * again is another object. The old one is the second object of that event, which so comes after everything that was done to it.
 */
#include <errno.h>

#include "sched/world_internal.h"

#define SERIAL_THREAD (-1) /* PTHREAD_BARRIER_SERIAL_THREAD */

static void barrier_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct object *x = world_obj(w, t->op.obj[0]);
	const struct barrier_state *b = &x->barrier;
	switch (op_kind(&t->op)) {
	case EV_BARRIER_INIT:
		if (b->arrived || (d->obj[1] && world_obj(w, d->obj[1])->barrier.arrived))
			d->misuse = MISUSE_DESTROY_IN_USE; /* they would wait for ever */
		return;
	case EV_BARRIER_DESTROY:
		if (b->arrived)
			d->misuse = MISUSE_DESTROY_IN_USE;
		break;
	case EV_BARRIER_PASS:
		d->enabled = t->may_pass;
		d->seq = (uint32_t)t->op.arg[0];
		return;
	case EV_BARRIER_ARRIVE:
		d->outcome = STEP_MORE;
		d->seq = b->round + 1;
		if (b->arrived + 1 == b->count) {
			d->mode[0] = M_LAST;
			d->outcome = STEP_DONE;
			d->result = SERIAL_THREAD;
		}
		break;
	case EVENTS_BUT(BARRIER):
		break;
	}
	if (x->destroyed || !b->count) {
		d->outcome = STEP_DONE;
		d->misuse = x->destroyed ? MISUSE_USE_DESTROYED : MISUSE_UNINITIALISED;
	}
}

/* All who wait at this barrier may pass, from now. */
static void complete(struct world *w, struct wthread *last, object_id o)
{
	for (uint32_t i = 0; i < w->n_live; i++) {
		struct wthread *t = w->thread[w->live[i]];
		if (t->has_op && t->op.kind == EV_BARRIER_PASS && t->op.obj[0] == o && !t->may_pass) {
			t->may_pass = true;
			t->pass_stamp = last->clock;
		}
		for (struct suspended *s = t->suspended; s; s = s->next)
			if (s->has_op && s->op.kind == EV_BARRIER_PASS && s->op.obj[0] == o && !s->may_pass) {
				s->may_pass = true;
				s->pass_stamp = last->clock;
			}
	}
}

static void barrier_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	struct object *x = world_obj(w, t->op.obj[0]);
	struct barrier_state *b = &x->barrier;
	if (d->misuse)
		return;
	switch (op_kind(&t->op)) {
	case EV_BARRIER_INIT:
		*b = (struct barrier_state){ .count = (uint32_t)t->op.arg[0], .round = b->round };
		x->destroyed = false;
		break;
	case EV_BARRIER_DESTROY:
		x->destroyed = true;
		break;
	case EV_BARRIER_PASS:
		t->may_pass = false;
		break;
	case EV_BARRIER_ARRIVE:
		if (d->mode[0] == M_LAST) {
			b->arrived = 0;
			b->round++;
			complete(w, t, t->op.obj[0]);
		} else {
			b->arrived++;
			t->may_pass = false;
			t->op.kind = EV_BARRIER_PASS;
			t->op.arg[0] = d->seq;
		}
		break;
	case EVENTS_BUT(BARRIER):
		break;
	}
}

const struct model model_barrier = { barrier_decide, barrier_apply };

/* ---- once ---- */

static void once_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct once_state *o = &world_obj(w, t->op.obj[0])->once;
	if (t->op.kind != EV_ONCE_ENTER)
		return;
	d->mode[0] = M_READ;
	if (o->phase == ONCE_RUNNING)
		d->enabled = false;
	if (o->phase != ONCE_NEW || t->op.arg[0])
		return;
	d->mode[0] = event_kind_mode(EV_ONCE_ENTER, 0);
	d->result = 1; /* the caller runs it */
}

static void once_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	struct once_state *o = &world_obj(w, t->op.obj[0])->once;
	switch (op_kind(&t->op)) {
	case EV_ONCE_DONE:
		o->phase = ONCE_FINISHED;
		break;
	case EV_ONCE_ABORT:
		o->phase = ONCE_NEW;
		break;
	case EV_ONCE_ENTER:
		if (d->result) {
			o->phase = ONCE_RUNNING;
			o->runner = t->id;
		} else {
			o->phase = ONCE_FINISHED;
		}
		break;
	case EVENTS_BUT(ONCE):
		break;
	}
}

const struct model model_once = { once_decide, once_apply };
