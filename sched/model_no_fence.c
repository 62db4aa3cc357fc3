/*
 * Ways of library calls on which they execute no locked instruction. With store buffers such a call differs from one that does, because stores of
 * the thread may stay in its buffer meanwhile. Each kind only looks at an object, or touches what nothing but its own thread can see. Where the call
 * goes on, the hook announces its usual operation, which waits for an empty buffer: glibc looks, and then executes a compare-and-swap.
 * tests/libc_fences.sh checks these kinds, and the flag K_BUFFER of all others, against the libc that is installed.
 */
#include <errno.h>

#include "sched/world_internal.h"

/* Returns what a lock call that does not wait finds. */
static int find_rwlock(const struct rwlock_state *l, const struct wthread *t)
{
	bool write = t->op.arg[1];
	if (l->writer == t->id)
		return EDEADLK;
	return l->writer != NO_THREAD || l->claim != NO_THREAD || (write && l->readers) ? EBUSY : 0;
}

static void decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct object *x = t->op.obj[0] ? world_obj(w, t->op.obj[0]) : NULL;
	switch (op_kind(&t->op)) {
	case EV_MUTEX_RELOCK:
		d->mode[0] = M_NONE;
		if ((t->op.type & 3) != MUTEX_RECURSIVE)
			d->result = EDEADLK;
		break;
	case EV_MUTEX_UNNEST:
		d->mode[0] = M_NONE;
		if (x->mutex.owner != t->id)
			d->result = EPERM;
		break;
	case EV_MUTEX_LOOK:
		d->result = x->mutex.owner != NO_THREAD ? EBUSY : 0;
		break;
	case EV_COND_LOOK: /* a waiter that was signalled may have left at any time since */
		d->result = (int32_t)(x->queue.waiters - x->queue.n_tokens);
		break;
	case EV_RW_LOOK:
		d->result = find_rwlock(&x->rwlock, t);
		break;
	case EV_ONCE_LOOK:
		d->result = x->once.phase == ONCE_FINISHED || (x->once.phase == ONCE_NEW && t->op.arg[0]);
		break;
	case EV_TESTCANCEL:
	case EV_FENCE_ALL:
	case EV_CHANGE_PAGES:
	case EVENTS_BUT(NO_FENCE):
		break;
	}
	if (event_kind_result(d->kind) == RESULT_ERRNO && d->result)
		d->flags |= EVF_FAILED;
	if (x && x->destroyed)
		d->misuse = MISUSE_USE_DESTROYED;
}

static void apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	if (d->misuse || d->result)
		return;
	if (t->op.kind == EV_MUTEX_RELOCK)
		mutex_take(w, t->op.obj[0], t);
	else if (t->op.kind == EV_MUTEX_UNNEST)
		mutex_give(w, t->op.obj[0], t);
}

const struct model model_no_fence = { decide, apply };
