/* Waits that time out late: see patience.h. */
#include "sched/patience.h"

#include <errno.h>

void patience_announced(const struct world *w, struct wthread *t)
{
	struct op *op = &t->op;
	enum event_kind kind = event_kind_waiting(op->kind);
	bool timed = kind != EV_NONE && (op->flags & OPF_TIMED);
	t->late = false;
	if (!w->config.patience || !timed || op->deadline < t->clock || op->deadline - t->clock < w->config.patience)
		return;
	op->kind = (uint8_t)kind;
	t->late = true;
}

bool patience_decide(const struct wthread *t, unsigned alt, struct decision *d)
{
	enum event_kind kind = alt == ALT_TIMEOUT ? event_kind_timeout(t->op.kind) : EV_NONE;
	if (!(event_kind_flags(kind) & K_TRY))
		return false; /* it cannot time out, or its model knows how */
	d->kind = (uint8_t)kind;
	d->mode[0] = M_READ;
	d->obj[1] = 0;
	d->flags |= EVF_FAILED;
	d->result = ETIMEDOUT;
	return true;
}

/* Could --patience keep an operation of this kind waiting? */
static bool can_wait_late(unsigned kind)
{
	enum event_kind timeout = event_kind_timeout(kind);
	return event_kind_waiting(kind) != EV_NONE || (timeout != EV_NONE && !(event_kind_flags(timeout) & K_TRY));
}

uint64_t patience_given_up(const struct wthread *t, const struct decision *d)
{
	const struct op *op = &t->op;
	if (!can_wait_late(op->kind) || d->result != ETIMEDOUT || !(op->flags & OPF_TIMED) || t->late || op->deadline < t->began)
		return 0;
	return op->deadline - t->began;
}

/* Can it give up now? A wait that has not begun (COND_WAIT, FUTEX_WAIT) goes on in any case; an exit (late_exit.h) is no wait. */
static bool may_give_up(const struct wthread *t)
{
	return t->has_op && t->late && event_kind_flags(t->op.kind) & K_BLOCK;
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
