/*
 * Barriers, and one-time initialisation.
 *
 * The thread that completes a barrier's round is the one that gets PTHREAD_BARRIER_SERIAL_THREAD, as in glibc. Arrivals that do not
 * complete a round are independent of each other. With world_config.barrier_first the thread of the round with the smallest id gets it,
 * as POSIX allows. Then all arrivals of a round are independent, and each is followed by a PASS.
 *
 * The search counts how many arrivals complete a round of an object, and assumes that this number does not change. So a barrier that is
 * initialised again is another object. The old object is the second one of that event, which therefore comes after everything done to it.
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
			d->misuse = MISUSE_DESTROY_IN_USE; /* its waiters would wait for ever */
		return;
	case EV_BARRIER_DESTROY:
		if (b->arrived)
			d->misuse = MISUSE_DESTROY_IN_USE;
		break;
	case EV_BARRIER_PASS:
		d->enabled = t->may_pass;
		d->seq = (uint32_t)t->op.arg[0];
		d->result = t->op.arg[1] ? SERIAL_THREAD : 0;
		return;
	case EV_BARRIER_ARRIVE:
		d->outcome = STEP_MORE;
		d->seq = b->round + 1;
		if (w->config.settings.barrier_first) {
			d->mode[0] = M_MEET;
			d->result = (int32_t)b->count;
		} else if (b->arrived + 1 == b->count) {
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

/* A thread that waits at the barrier o until its round is complete. */
struct waiting_thread {
	struct op *op;
	bool *may_pass;
	uint64_t *stamp; /* when it arrived; once its round is complete: when that was */
};

/* Writes the next operation of t that waits at barrier o to *x: its pending one, or one that is set aside. Returns false when there is no
   further one. *own (true at first) and *s (NULL at first) hold the position between calls. */
static bool waits_at(struct wthread *t, struct suspended **s, bool *own, object_id o, struct waiting_thread *x)
{
	if (*own) {
		*own = false;
		*s = t->suspended;
		if (t->has_op && t->op.kind == EV_BARRIER_PASS && t->op.obj[0] == o && !t->may_pass) {
			*x = (struct waiting_thread){ &t->op, &t->may_pass, &t->pass_stamp };
			return true;
		}
	}
	while (*s) {
		struct suspended *at = *s;
		*s = at->next;
		if (at->has_op && at->op.kind == EV_BARRIER_PASS && at->op.obj[0] == o && !at->may_pass) {
			*x = (struct waiting_thread){ &at->op, &at->may_pass, &at->pass_stamp };
			return true;
		}
	}
	return false;
}

/* Returns the time of the latest arrival. */
static uint64_t latest_clock(struct world *w, object_id o)
{
	uint64_t latest = 0;
	for (uint32_t i = 0; i < w->n_live; i++) {
		struct suspended *s = NULL;
		struct waiting_thread x;
		for (bool own = true; waits_at(w->thread[w->live[i]], &s, &own, o, &x);)
			latest = *x.stamp > latest ? *x.stamp : latest;
	}
	return latest;
}

/* Lets all threads that wait at this barrier pass, from virtual time `now`. serial: the first of them gets the serial result. */
static void complete(struct world *w, object_id o, uint64_t now, bool serial)
{
	for (uint32_t i = 0; i < w->n_live; i++) {
		struct suspended *s = NULL;
		struct waiting_thread x;
		for (bool own = true; waits_at(w->thread[w->live[i]], &s, &own, o, &x); serial = false) {
			*x.may_pass = true;
			*x.stamp = now;
			x.op->arg[1] = serial;
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
			complete(w, t->op.obj[0], t->clock, false);
			break;
		}
		b->arrived++;
		t->may_pass = false;
		t->pass_stamp = t->clock;
		t->op.kind = EV_BARRIER_PASS;
		t->op.arg[0] = d->seq;
		t->op.arg[1] = 0;
		if (d->mode[0] == M_MEET && b->arrived == b->count) {
			b->arrived = 0;
			b->round++;
			complete(w, t->op.obj[0], latest_clock(w, t->op.obj[0]), true);
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
