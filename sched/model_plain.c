/* Operations that need no state here: descriptors, processes and signals (the kernel or the hooks hold it), memory (the program's own),
   time, and the end. */
#include <errno.h>

#include "sched/live.h"
#include "sched/membuf.h"
#include "sched/world_internal.h"

static bool ready(const struct world *w, const struct wthread *t)
{
	return !w->config.ready || w->config.ready(w->config.ready_ctx, t->id, &t->op);
}

static void io_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct op *op = &t->op;
	if (!op->obj[0])
		d->mode[0] = M_NONE;
	if (event_kind_object(op->kind) == OBJ_FD && op->type & FILES_GROUPS)
		d->flags |= EVF_GROUPS;
	bool changes = op->kind == EV_FD_POLL && op->type & FILES_CHANGES;
	if (changes)
		d->mode[0] = M_WRITE;
	if (!(event_kind_flags(op->kind) & K_BLOCK) || ready(w, t))
		return;
	if (op->flags & OPF_TIMED) {
		d->result = ETIMEDOUT;
		d->flags |= EVF_FAILED;
		d->mode[0] = changes ? M_READ : d->mode[0];
	} else {
		d->enabled = false;
	}
}

static void io_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
}

const struct model model_io = { io_decide, io_apply };

/* Decides the value that a memory operation finds, and its effect. */
static void memory_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct op *op = &t->op;
	uint32_t expected = op->type;
	bool failed_acquires = op->failed_acquires;
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
	if (w->graph)
		live_decide(w, t, alt, d);
	if (w->graph && live_spins(w, t)) {
		d->enabled = false;
		return;
	}
	if (op->adds && !(op->flags & OPF_AWAIT)) {
		d->mode[0] = M_ADD;
		d->mode[1] = d->obj[1] ? M_ADD : M_NONE;
		d->flags &= (uint8_t)~EVF_ACQUIRE; /* it may as well come before those that it found there */
	}
	if (t->await && t->await->node) {
		const struct await_node *n = await_decide(w, t, d);
		expected = n->expected;
		failed_acquires = await_failed_acquires(n);
		decide_kind(d, (enum event_kind)d->kind); /* it leaves the loop with another operation */
	}
	if (d->kind == EV_RMW && expected && d->seq && d->seq != expected) { /* a compare-and-swap that fails */
		d->mode[0] = M_READ;
		d->mode[1] = d->obj[1] ? M_READ : M_NONE;
		d->flags = (uint8_t)event_failed_flags(d->flags, failed_acquires);
	}
	if (d->kind == EV_LOAD && membuf_has(w, t, op->arg[0], (uint32_t)op->arg[1]))
		d->flags |= EVF_FORWARDED;
}

static void memory_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	if (d->mode[0] == M_BUFFER)
		membuf_store(w, t);
	if (w->graph)
		live_access(w, t, alt, d);
}

const struct model model_memory = { memory_decide, memory_apply };

static void local_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
}

static void local_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	if (t->op.kind == EV_SLEEP && t->op.deadline != OP_NO_DEADLINE)
		world_advance(w, t->id, t->op.deadline);
}

const struct model model_local = { local_decide, local_apply };

static void end_decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	d->outcome = STEP_OVER;
}

static void end_apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
}

const struct model model_end = { end_decide, end_apply };
