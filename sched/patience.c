/* Waits that time out late: see patience.h. */
#include "sched/patience.h"

#include <errno.h>

/* The operation that waits for what one of `kind` tries to get; EV_NONE: it is none of those that time out. */
static unsigned waiting_kind(unsigned kind)
{
	switch (kind) {
	case EV_MUTEX_TRYLOCK:
		return EV_MUTEX_LOCK;
	case EV_RW_TRYRDLOCK:
		return EV_RW_RDLOCK;
	case EV_RW_TRYWRLOCK:
		return EV_RW_WRLOCK;
	case EV_SEM_TRYWAIT:
		return EV_SEM_WAIT;
	case EV_THREAD_TRYJOIN:
		return EV_THREAD_JOIN;
	case EV_COND_WAIT:
	case EV_FUTEX_WAIT:
		return kind;
	default:
		return EV_NONE;
	}
}

/* What the time-out of a waiting operation is; EV_NONE: the models know. */
static unsigned trying_kind(unsigned kind)
{
	switch (kind) {
	case EV_MUTEX_LOCK:
		return EV_MUTEX_TRYLOCK;
	case EV_RW_RDLOCK:
		return EV_RW_TRYRDLOCK;
	case EV_RW_WRLOCK:
		return EV_RW_TRYWRLOCK;
	case EV_SEM_WAIT:
		return EV_SEM_TRYWAIT;
	case EV_THREAD_JOIN:
		return EV_THREAD_TRYJOIN;
	default:
		return EV_NONE;
	}
}

void patience_announced(const struct world *w, struct wthread *t)
{
	struct op *op = &t->op;
	unsigned kind = waiting_kind(op->kind);
	bool timed = kind != EV_NONE && (op->flags & OPF_TIMED);
	t->late = false;
	if (!w->config.patience || !timed || op->deadline < t->clock || op->deadline - t->clock < w->config.patience)
		return;
	op->kind = (uint8_t)kind;
	t->late = true;
}

bool patience_decide(const struct wthread *t, unsigned alt, struct decision *d)
{
	unsigned kind = alt == ALT_TIMEOUT ? trying_kind(t->op.kind) : EV_NONE;
	if (kind == EV_NONE)
		return false;
	d->kind = (uint8_t)kind;
	d->mode[0] = M_READ;
	d->obj[1] = 0;
	d->flags |= EVF_FAILED;
	d->result = ETIMEDOUT;
	return true;
}

uint64_t patience_given_up(const struct wthread *t, const struct decision *d)
{
	const struct op *op = &t->op;
	bool known = waiting_kind(op->kind) != EV_NONE || op->kind == EV_COND_WOKEN || op->kind == EV_FUTEX_WOKEN;
	if (!known || d->result != ETIMEDOUT || !(op->flags & OPF_TIMED) || t->late || op->deadline < t->began)
		return 0;
	return op->deadline - t->began;
}

/* Can it give up now? A wait that has not begun to (COND_WAIT) goes on in any case. */
static bool may_give_up(const struct wthread *t)
{
	return t->has_op && t->late && t->op.kind != EV_COND_WAIT && t->op.kind != EV_FUTEX_WAIT && t->op.kind != EV_EXIT;
}

unsigned world_late(struct world *w, struct choice *out)
{
	const struct wthread *first = NULL;
	for (uint32_t i = 0; i < w->n_live; i++) {
		const struct wthread *t = w->thread[w->live[i]];
		if (may_give_up(t) && (!first || t->op.deadline < first->op.deadline))
			first = t;
	}
	if (!first)
		return 0;
	w->config.trace->alts[first->id] |= 1u << ALT_TIMEOUT;
	*out = (struct choice){ .thread = first->id, .alt = ALT_TIMEOUT };
	return 1;
}
