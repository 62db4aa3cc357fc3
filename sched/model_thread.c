/* Threads: creation, end, join, detach, cancellation and signals to them. */
#include <errno.h>

#include "sched/world_internal.h"

static struct wthread *target_of(const struct world *w, const struct op *op)
{
	return w->thread[world_obj(w, op->obj[0])->thread.id];
}

static void decide_join(const struct world *w, const struct wthread *t, struct decision *d)
{
	const struct op *op = &t->op;
	const struct wthread *x = target_of(w, op);
	d->mode[0] = M_ACQ;
	if (x->joined || (x->joiner != NO_THREAD && x->joiner != t->id)) {
		d->misuse = MISUSE_JOIN_TWICE;
	} else if (x->detached) {
		d->misuse = MISUSE_JOIN_DETACHED;
	} else if (x == t || (x->alive && x->has_op && x->op.kind == EV_THREAD_JOIN &&
				     target_of(w, &x->op) == t)) {
		d->mode[0] = M_READ;
		d->result = EDEADLK;
	} else if (x->alive) {
		if (op->kind == EV_THREAD_TRYJOIN) {
			d->mode[0] = M_READ;
			d->result = op->flags & OPF_TIMED ? ETIMEDOUT : EBUSY;
		} else {
			d->enabled = false;
		}
	}
	if (d->result)
		d->flags |= EVF_FAILED;
}

/* The first robust mutex that the ending thread holds: its next owner is told. */
static object_id robust_held(const struct world *w, const struct wthread *t)
{
	for (object_id o = 1; t->held && o <= w->objects; o++) {
		const struct object *x = world_obj(w, o);
		if (x->kind == OBJ_MUTEX && x->mutex.owner == t->id && (x->mutex.type & MUTEX_ROBUST))
			return o;
	}
	return 0;
}

static bool holds_other(const struct world *w, const struct wthread *t)
{
	object_id held[1];
	uint32_t robust = 0;
	for (object_id o = 1; t->held && o <= w->objects; o++) {
		const struct object *x = world_obj(w, o);
		robust += x->kind == OBJ_MUTEX && x->mutex.owner == t->id && (x->mutex.type & MUTEX_ROBUST);
	}
	return t->held > robust && world_held(w, t->id, held, 1);
}

static void decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct op *op = &t->op;
	switch (op->kind) {
	case EV_THREAD_CREATE:
		d->mode[0] = M_WRITE;
		d->seq = thread_names_intern(w->config.names, t->id, t->children + 1);
		break;
	case EV_THREAD_EXIT:
		d->mode[0] = M_REL;
		d->outcome = STEP_ENDED;
		d->obj[1] = robust_held(w, t);
		d->mode[1] = d->obj[1] ? M_REL : M_NONE;
		if (holds_other(w, t))
			d->misuse = MISUSE_EXIT_HOLDING;
		break;
	case EV_THREAD_DETACH: {
		const struct wthread *x = target_of(w, op);
		d->mode[0] = M_WRITE;
		if (x->detached)
			d->result = EINVAL;
		break;
	}
	case EV_THREAD_CANCEL:
	case EV_SIGNAL_SEND:
		d->mode[0] = op->obj[0] ? M_POKE : M_NONE;
		d->mode[1] = op->obj[1] ? M_REL : M_NONE;
		d->seq = op->obj[0] ? target_of(w, op)->id : 0;
		break;
	default:
		decide_join(w, t, d);
	}
}

static void end(struct world *w, struct wthread *t)
{
	uint32_t i = 0;
	for (object_id o = 1; t->held && o <= w->objects; o++) {
		struct object *x = world_obj(w, o);
		if (x->kind == OBJ_MUTEX && x->mutex.owner == t->id && (x->mutex.type & MUTEX_ROBUST))
			x->mutex.owner_died = true;
	}
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
	switch (op->kind) {
	case EV_THREAD_EXIT:
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
	default: /* THREAD_CREATE: in world.c, which knows how to make threads; SIGNAL_SEND: by the hook */
		break;
	}
}

const struct model model_thread = { decide, apply };
