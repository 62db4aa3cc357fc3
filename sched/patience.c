/* Waits that time out late: see patience.h. */
#include "sched/patience.h"

#include <errno.h>

/* Returns whether an operation of this kind is late with discrete_time alone: time ends it, or the driver of the world says when it is
   ready. */
static bool only_discrete(unsigned kind)
{
	return kind == EV_SLEEP || kind == EV_SIGNAL_WAIT || kind == EV_FD_READ || kind == EV_FD_WRITE || kind == EV_FD_POLL;
}

void patience_announced_timed(const struct world *w, struct wthread *t)
{
	struct op *op = &t->op;
	enum event_kind kind = event_kind_waiting(op->kind);
	uint64_t shortest = w->config.settings.discrete_time ? 1 : w->config.settings.patience;
	if (!shortest || op->deadline == OP_NO_DEADLINE || op->deadline < t->clock || op->deadline - t->clock < shortest)
		return;
	if (kind != EV_NONE) {
		op->kind = (uint8_t)kind;
	} else if (w->config.settings.discrete_time && only_discrete(op->kind)) {
		op->flags &= ~OPF_TIMED; /* now it waits until it is ready */
	} else {
		return;
	}
	t->late = true;
	t->late_since = w->steps;
}

bool patience_decide_timeout(const struct wthread *t, struct decision *d)
{
	enum event_kind kind = event_kind_timeout(t->op.kind);
	if (rwlock_claimed(&t->op))
		return false;
	if (only_discrete(t->op.kind)) {
		d->mode[0] = d->obj[0] ? M_READ : M_NONE;
		d->mode[1] = d->obj[1] ? M_READ : M_NONE;
		if (t->op.kind == EV_SLEEP)
			return true;
		d->flags |= EVF_FAILED;
		d->result = ETIMEDOUT;
		return true;
	}
	if (!(event_kind_flags(kind) & K_TRY))
		return false; /* it cannot time out, or its model knows how */
	d->kind = (uint8_t)kind;
	d->mode[0] = M_READ;
	d->obj[1] = 0;
	d->flags |= EVF_FAILED;
	d->result = ETIMEDOUT;
	return true;
}

/* Returns whether an operation of this kind can be made to wait by --patience. */
static bool can_wait_late(const struct op *op)
{
	enum event_kind timeout = event_kind_timeout(op->kind);
	return event_kind_waiting(op->kind) != EV_NONE || rwlock_claimed(op) || (timeout != EV_NONE && !(event_kind_flags(timeout) & K_TRY));
}

uint64_t patience_given_up(const struct wthread *t, const struct decision *d)
{
	const struct op *op = &t->op;
	bool over = op->kind == EV_SLEEP || (d->result == ETIMEDOUT && (can_wait_late(op) || only_discrete(op->kind)));
	if (!over || !(op->flags & OPF_TIMED) || t->late || op->deadline < t->began)
		return 0;
	return op->deadline - t->began;
}

/* Returns whether it can time out now. A wait that has not begun (COND_WAIT, FUTEX_WAIT) continues in any case; an exit (late_exit.h) is
   no wait. */
static bool may_give_up(const struct wthread *t)
{
	return t->has_op && t->late && (t->op.kind == EV_SLEEP || event_kind_flags(t->op.kind) & K_BLOCK);
}

/* The late wait with the earliest deadline, that of the thread with the smallest id if several have it. NULL: there is none. */
static const struct wthread *first_late(const struct world *w)
{
	const struct wthread *first = NULL;
	for (uint32_t i = 0; i < w->n_live; i++) {
		const struct wthread *t = w->thread[w->live[i]];
		if (may_give_up(t) && (!first || t->op.deadline < first->op.deadline))
			first = t;
	}
	return first;
}

unsigned world_late(struct world *w, struct choice *out)
{
	const struct wthread *first = first_late(w);
	if (!first)
		return 0;
	w->config.trace->alts[first->id] |= 1u << ALT_TIMEOUT;
	*out = (struct choice){ .thread = first->id, .alt = ALT_TIMEOUT };
	return 1;
}

uint64_t world_late_deadline(const struct world *w, uint64_t *left)
{
	const struct wthread *first = first_late(w);
	*left = first ? first->op.deadline - first->began : 0;
	return first ? first->op.deadline : OP_NO_DEADLINE;
}

bool world_time_forced(const struct world *w)
{
	if (w->steps < LATE_WAIT_EVENTS) /* most executions are shorter: they need not look */
		return false;
	const struct wthread *first = w->config.settings.discrete_time ? first_late(w) : NULL;
	return first && w->steps - first->late_since >= LATE_WAIT_EVENTS;
}

unsigned patience_choices_late(struct world *w, struct choice *c, unsigned n)
{
	unsigned agents = 0;
	if (!n || !world_time_forced(w))
		return n;
	if (!w->buffered)
		return world_late(w, c);
	for (unsigned k = 0; k < n; k++) /* stores that are still buffered come first */
		if (is_agent(c[k].thread))
			c[agents++] = c[k];
	return agents ? agents : n;
}
