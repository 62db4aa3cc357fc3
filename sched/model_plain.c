/* What needs no state here: descriptors, processes and signals (the kernel or the hooks know), memory (the
   program's own), time, and the end. */
#include <errno.h>

#include "sched/membuf.h"
#include "sched/world_internal.h"

static bool ready(const struct world *w, const struct wthread *t)
{
	return !w->config.ready || w->config.ready(w->config.ready_ctx, t->id, &t->op);
}

static unsigned io_mode(unsigned kind)
{
	switch (kind) {
	case EV_FD_READ:
	case EV_PROCESS_WAIT:
		return M_ACQ;
	case EV_FD_WRITE:
		return M_REL;
	case EV_FD_POLL:
	case EV_SIGNAL_WAIT:
		return M_READ;
	default:
		return M_WRITE;
	}
}

static void io_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct op *op = &t->op;
	unsigned mode = io_mode(op->kind);
	d->mode[0] = op->obj[0] ? mode : M_NONE;
	d->mode[1] = op->obj[1] ? op->kind == EV_SIGNAL_WAIT ? M_ACQ : mode : M_NONE;
	if (!(event_kind_flags(op->kind) & K_BLOCK) || ready(w, t))
		return;
	if (op->flags & OPF_TIMED) {
		d->result = ETIMEDOUT;
		d->flags |= EVF_FAILED;
	} else {
		d->enabled = false;
	}
}

static void io_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
}

const struct model model_io = { io_decide, io_apply };

/* What a memory operation finds, and what it is then. */
static void memory_decide(const struct world *w, const struct wthread *t, struct decision *d)
{
	const struct op *op = &t->op;
	uint32_t expected = op->type;
	thread_id agent = op->kind == EV_STORE ? membuf_agent(t) : NO_THREAD;
	if (agent != NO_THREAD) {
		d->flags |= op->flags & EVF_MEMORY & ~EVF_AWAIT;
		d->result = agent;
		d->seq = membuf_name(t);
		d->mode[0] = M_BUFFER;
		d->mode[1] = d->obj[1] ? M_BUFFER : M_NONE;
		return;
	}
	d->seq = membuf_value(w, t, op->arg[0], (uint32_t)op->arg[1]);
	d->flags |= op->flags & EVF_MEMORY & ~EVF_AWAIT;
	d->result = op->kind == EV_RMW ? (int32_t)expected : 0;
	if (t->await && t->await->node)
		expected = await_decide(w, t, d);
	unsigned mode = d->kind == EV_LOAD ? M_READ : M_WRITE;
	if (d->kind == EV_RMW && expected && d->seq && d->seq != expected) { /* a compare-and-swap that fails */
		mode = M_READ;
		d->flags |= EVF_FAILED;
	}
	if (d->kind == EV_LOAD && membuf_has(t, op->arg[0], (uint32_t)op->arg[1]))
		d->flags |= EVF_FORWARDED;
	d->mode[0] = (uint8_t)mode;
	d->mode[1] = (uint8_t)(d->obj[1] ? mode : M_NONE);
}

static void plain_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	switch (t->op.kind) {
	case EV_LOAD:
	case EV_STORE:
	case EV_RMW:
		memory_decide(w, t, d);
		break;
	case EV_EXIT:
	case EV_DEATH:
		d->outcome = STEP_OVER;
		break;
	default: /* START, SLEEP, YIELD, GIVE_WAY, SIGNAL_MASK */
		break;
	}
}

static void plain_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	if (t->op.kind == EV_SLEEP && t->op.deadline != OP_NO_DEADLINE)
		world_advance(w, t->id, t->op.deadline);
	if (d->mode[0] == M_BUFFER)
		membuf_store(w, t);
}

const struct model model_plain = { plain_decide, plain_apply };
