/* Threads: creation, end, join, detach, cancellation and signals to them. */
#include <errno.h>

#include "sched/world_internal.h"

static struct wthread *target_of(const struct world *w, const struct op *op)
{
	return w->thread[world_obj(w, op->obj[0])->thread.id];
}

/* Is x waiting for the end of t? */
static bool joins(const struct world *w, const struct wthread *x, const struct wthread *t)
{
	return x->alive && x->has_op && x->op.kind == EV_THREAD_JOIN && !(x->op.flags & OPF_TIMED) && target_of(w, &x->op) == t;
}

/*
 * Two threads may join the same one: both wait, and the second to do so does it wrongly. (glibc tells the second
 * at once; but whose call came first would then have to be an event of its own.)
 */
static void decide_join(const struct world *w, const struct wthread *t, struct decision *d)
{
	const struct op *op = &t->op;
	const struct wthread *x = target_of(w, op);
	bool timed = op->flags & OPF_TIMED;
	bool waits = op->kind == EV_THREAD_JOIN || timed; /* tryjoin does not ask who it is */
	if (x->joined) {
		d->misuse = MISUSE_JOIN_TWICE;
	} else if (x->detached) {
		d->misuse = MISUSE_JOIN_DETACHED;
	} else if (waits && x == t) {
		d->mode[0] = M_READ;
		d->result = EDEADLK;
	} else if (op->kind == EV_THREAD_JOIN && !timed && joins(w, x, t)) {
		/* What x announced decides, so whatever x does is dependent with this. (A timed join times out.) */
		d->mode[0] = M_POKE;
		d->seq = x->id;
		d->result = EDEADLK;
	} else if (x->alive) {
		if (op->kind == EV_THREAD_TRYJOIN) {
			d->mode[0] = M_READ;
			d->result = timed ? ETIMEDOUT : EBUSY;
		} else {
			d->enabled = false;
		}
	}
	if (d->result)
		d->flags |= EVF_FAILED;
}

/* How many robust mutexes the ending thread holds, and the first of them: their next owners are told. */
static uint32_t robust_held(const struct world *w, const struct wthread *t, object_id *first)
{
	uint32_t n = 0;
	*first = 0;
	for (object_id o = 1; t->held && o <= w->objects; o++) {
		const struct object *x = world_obj(w, o);
		if (x->kind == OBJ_MUTEX && x->mutex.owner == t->id && !x->mutex.owner_died &&
			(x->mutex.type & MUTEX_ROBUST)) {
			*first = *first ? *first : o;
			n++;
		}
	}
	return n;
}

static uint32_t given_up(const struct world *w, const struct wthread *t)
{
	uint32_t n = 0;
	for (object_id o = 1; t->held && o <= w->objects; o++) {
		const struct object *x = world_obj(w, o);
		n += x->kind == OBJ_MUTEX && x->mutex.owner == t->id && x->mutex.owner_died;
	}
	return n;
}

/* The last robust mutex that the thread holds is given up with its end, those before by an event each: an event
   touches two objects. */
static void decide_exit(const struct world *w, const struct wthread *t, struct decision *d)
{
	object_id first;
	uint32_t robust = robust_held(w, t, &first);
	d->outcome = STEP_ENDED;
	if (t->held > robust + given_up(w, t)) {
		d->misuse = MISUSE_EXIT_HOLDING;
	} else if (robust > 1) {
		d->outcome = STEP_MORE;
		d->obj[0] = first;
		decide_kind(d, EV_MUTEX_UNLOCK);
	} else if (robust) {
		d->obj[1] = first;
		decide_kind(d, EV_THREAD_EXIT);
	}
}

static void decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct op *op = &t->op;
	switch (op_kind(op)) {
	case EV_THREAD_CREATE:
		d->seq = NO_THREAD;
		if (op->obj[0])
			d->seq = world_obj(w, op->obj[0])->thread.id;
		else
			d->result = EAGAIN; /* too many threads */
		break;
	case EV_THREAD_EXIT:
		decide_exit(w, t, d);
		break;
	case EV_THREAD_DETACH: {
		const struct wthread *x = target_of(w, op);
		if (x->detached)
			d->result = EINVAL;
		break;
	}
	case EV_THREAD_CANCEL:
	case EV_SIGNAL_SEND:
		if (!op->obj[0])
			d->mode[0] = M_NONE;
		d->seq = op->obj[0] ? target_of(w, op)->id : 0;
		break;
	case EV_THREAD_JOIN:
	case EV_THREAD_TRYJOIN:
		decide_join(w, t, d);
		break;
	case EV_THREAD_CANCELLED:
	case EVENTS_BUT(THREAD):
		break;
	}
}

static void end(struct world *w, struct wthread *t)
{
	uint32_t i = 0;
	t->alive = false;
	while (w->live[i] != t->id)
		i++;
	for (w->n_live--; i < w->n_live; i++)
		w->live[i] = w->live[i + 1];
}

static void apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	struct op *op = &t->op;
	if (d->misuse)
		return;
	switch (op_kind(op)) {
	case EV_THREAD_EXIT:
		if (d->outcome == STEP_MORE || d->obj[1])
			world_obj(w, d->obj[d->outcome != STEP_MORE])->mutex.owner_died = true;
		if (d->outcome == STEP_ENDED)
			end(w, t);
		break;
	case EV_THREAD_DETACH:
		target_of(w, op)->detached = true;
		break;
	case EV_THREAD_CANCEL:
		target_of(w, op)->cancel_requested = true;
		break;
	case EV_THREAD_JOIN:
	case EV_THREAD_TRYJOIN:
		if (!d->result)
			target_of(w, op)->joined = true;
		break;
	case EV_THREAD_CREATE: /* in world.c, which knows how to make threads */
	case EV_SIGNAL_SEND:   /* by the hook */
	case EV_THREAD_CANCELLED:
	case EVENTS_BUT(THREAD):
		break;
	}
}

const struct model model_thread = { decide, apply };
