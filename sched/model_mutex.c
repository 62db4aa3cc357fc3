/*
 * Mutexes of every type, and spin locks (mutexes without types).
 *
 * Operations on a mutex that the calling thread holds and keeps (recursive relock, inner unlock) touch nothing that other threads can
 * observe: mode NONE.
 */
#include <errno.h>

#include "sched/section.h"
#include "sched/world_internal.h"

static unsigned base_type(uint32_t type)
{
	return type & 3;
}

static bool robust(uint32_t type)
{
	return type & MUTEX_ROBUST;
}

bool mutex_takable(const struct world *w, object_id o, thread_id t)
{
	const struct mutex_state *m = &world_obj(w, o)->mutex;
	return m->owner == NO_THREAD || m->owner == t || m->owner_died;
}

int mutex_retake_result(const struct world *w, object_id o, thread_id t)
{
	const struct mutex_state *m = &world_obj(w, o)->mutex;
	if (m->owner_died)
		return EOWNERDEAD;
	return m->not_recoverable ? ENOTRECOVERABLE : 0;
}

bool mutex_checks_owner(uint32_t type)
{
	return base_type(type) == MUTEX_RECURSIVE || base_type(type) == MUTEX_ERRORCHECK || robust(type);
}

void mutex_forget_owner(struct world *w, struct object *x)
{
	if (x->mutex.owner != NO_THREAD)
		w->thread[x->mutex.owner]->held--;
	x->mutex = (struct mutex_state){ .owner = NO_THREAD };
}

void mutex_take(struct world *w, object_id o, struct wthread *t)
{
	struct mutex_state *m = &world_obj(w, o)->mutex;
	if (m->owner == t->id) {
		m->depth++;
		return;
	}
	if (m->owner != NO_THREAD)
		w->thread[m->owner]->held--; /* the owner died */
	m->inconsistent = m->owner_died;
	m->owner_died = false;
	m->owner = t->id;
	m->depth = 1;
	t->held++;
}

bool mutex_give(struct world *w, object_id o, struct wthread *t)
{
	struct mutex_state *m = &world_obj(w, o)->mutex;
	if (--m->depth)
		return false;
	m->owner = NO_THREAD;
	t->held--;
	if (m->inconsistent) {
		m->not_recoverable = true;
		m->inconsistent = false;
	}
	return true;
}

static void decide_lock(const struct mutex_state *m, const struct wthread *t, struct decision *d)
{
	const struct op *op = &t->op;
	bool try = op->kind == EV_MUTEX_TRYLOCK || op->kind == EV_SPIN_TRYLOCK;
	bool timed = op->flags & OPF_TIMED;
	if (m->owner == t->id) {
		d->mode[0] = M_NONE;
		if (base_type(op->type) == MUTEX_RECURSIVE)
			return;
		if (base_type(op->type) == MUTEX_ERRORCHECK && (!try || timed || robust(op->type)))
			d->result = EDEADLK;
		else if (try)
			d->result = timed ? ETIMEDOUT : EBUSY;
		else
			d->enabled = false; /* it waits for itself for ever */
	} else if (m->not_recoverable) {
		d->mode[0] = M_READ;
		d->result = ENOTRECOVERABLE;
	} else if (m->owner_died) {
		d->result = EOWNERDEAD;
		return;
	} else if (m->owner != NO_THREAD) {
		if (try) {
			d->mode[0] = M_READ;
			d->result = timed ? ETIMEDOUT : EBUSY;
		} else {
			d->enabled = false;
		}
	}
	if (d->result)
		d->flags |= EVF_FAILED;
}

/* The lock of a step is independent of other steps of the mutex, and its unlock of everything (section.h). */
static void decide_section(const struct world *w, const struct wthread *t, struct decision *d)
{
	if (t->op.kind == EV_MUTEX_LOCK && d->mode[0] == M_ACQ && section_begins(w, t))
		d->mode[0] = M_SECT;
	if (section_ends(w, t))
		d->mode[0] = M_NONE;
}

static void decide_unlock(const struct mutex_state *m, const struct wthread *t, struct decision *d)
{
	const struct op *op = &t->op;
	if (m->owner == t->id) {
		if (m->depth > 1)
			d->mode[0] = M_NONE;
		return;
	}
	d->mode[0] = M_READ;
	if (op->kind == EV_MUTEX_UNLOCK && mutex_checks_owner(op->type))
		d->result = EPERM;
	else
		d->misuse = m->owner == NO_THREAD ? MISUSE_UNLOCK_UNLOCKED : MISUSE_UNLOCK_NOT_OWNER;
	d->flags |= EVF_FAILED;
}

static void decide_destroy(const struct mutex_state *m, struct decision *d)
{
	if (m->owner != NO_THREAD && !m->owner_died) {
		d->misuse = MISUSE_DESTROY_IN_USE;
		d->result = EBUSY;
	}
}

static void decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct object *x = world_obj(w, t->op.obj[0]);
	const struct mutex_state *m = &x->mutex;
	switch (op_kind(&t->op)) {
	case EV_MUTEX_INIT:
	case EV_SPIN_INIT:
		return;
	case EV_MUTEX_DESTROY:
	case EV_SPIN_DESTROY:
		decide_destroy(m, d);
		break;
	case EV_MUTEX_UNLOCK:
	case EV_SPIN_UNLOCK:
		decide_unlock(m, t, d);
		break;
	case EV_MUTEX_CONSISTENT:
		if (!robust(t->op.type) || m->owner != t->id || !m->inconsistent)
			d->result = EINVAL;
		break;
	case EV_MUTEX_LOCK:
	case EV_MUTEX_TRYLOCK:
	case EV_SPIN_LOCK:
	case EV_SPIN_TRYLOCK:
		decide_lock(m, t, d);
		break;
	case EVENTS_BUT(MUTEX):
		break;
	}
	if (w->config.sections)
		decide_section(w, t, d);
	if (x->destroyed) {
		d->enabled = true;
		d->misuse = MISUSE_USE_DESTROYED;
	}
}

static void apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	struct object *x = world_obj(w, t->op.obj[0]);
	struct mutex_state *m = &x->mutex;
	if (d->misuse)
		return;
	m->type = t->op.type;
	switch (op_kind(&t->op)) {
	case EV_MUTEX_INIT:
	case EV_SPIN_INIT:
		mutex_forget_owner(w, x);
		m->type = t->op.type;
		x->destroyed = false;
		break;
	case EV_MUTEX_DESTROY:
	case EV_SPIN_DESTROY:
		x->destroyed = true;
		break;
	case EV_MUTEX_UNLOCK:
	case EV_SPIN_UNLOCK:
		if (!d->result)
			mutex_give(w, t->op.obj[0], t);
		break;
	case EV_MUTEX_CONSISTENT:
		if (!d->result)
			m->inconsistent = false;
		break;
	case EV_MUTEX_LOCK:
	case EV_MUTEX_TRYLOCK:
	case EV_SPIN_LOCK:
	case EV_SPIN_TRYLOCK:
		if (!d->result || d->result == EOWNERDEAD)
			mutex_take(w, t->op.obj[0], t);
		break;
	case EVENTS_BUT(MUTEX):
		break;
	}
}

const struct model model_mutex = { decide, apply };
