/*
 * Semaphores, as counted channels: the n-th wait takes the n-th token. Posts are ordered among
 * themselves, waits are, and a wait depends on the one post whose token it takes.
 */
#include <errno.h>

#include "sched/world_internal.h"

#define VALUE_MAX 0x7fffffffu /* SEM_VALUE_MAX */
#define MAX_STAMPS 65536

static uint64_t value_of(const struct sem_state *s, const struct op *op)
{
	if (s->known)
		return s->sent - s->received;
	return op->arg[1] ? op->arg[1] - 1 : 0; /* what the hook saw in memory, plus 1 */
}

static void decide_wait(uint64_t value, const struct wthread *t, struct decision *d)
{
	const struct op *op = &t->op;
	if (value)
		return;
	if (op->kind == EV_SEM_TRYWAIT) {
		d->mode[0] = M_READ;
		d->result = op->flags & OPF_TIMED ? ETIMEDOUT : EAGAIN;
		d->flags |= EVF_FAILED;
	} else {
		d->enabled = false;
	}
}

static void decide(const struct world *w, const struct wthread *t, unsigned alt, struct decision *d)
{
	const struct object *x = world_obj(w, t->op.obj[0]);
	const struct sem_state *s = &x->sem;
	uint64_t value = value_of(s, &t->op);
	switch (op_kind(&t->op)) {
	case EV_SEM_INIT:
		return;
	case EV_SEM_DESTROY:
		break;
	case EV_SEM_POST:
		d->seq = (uint32_t)(s->received + value + 1);
		if (value >= VALUE_MAX) {
			d->mode[0] = M_READ;
			d->result = EOVERFLOW;
			d->flags |= EVF_FAILED;
		}
		break;
	case EV_SEM_GETVALUE:
		d->result = (int32_t)value;
		break;
	case EV_SEM_WAIT:
	case EV_SEM_TRYWAIT:
		decide_wait(value, t, d);
		if (d->mode[0] == M_RECV)
			d->seq = (uint32_t)(s->received + 1);
		break;
	case EVENTS_BUT(SEM):
		break;
	}
	if (x->destroyed || (!s->known && !t->op.arg[1])) {
		d->enabled = true;
		d->misuse = x->destroyed ? MISUSE_USE_DESTROYED : MISUSE_UNINITIALISED;
	}
}

/* The tokens that are there from now on carry no time of their own. */
static void free_stamps(struct world *w, struct sem_state *s)
{
	world_free(w, s->stamp, s->stamp_cap * sizeof *s->stamp);
	s->stamp = NULL;
	s->stamp_cap = 0;
}

/* Room for the stamps of all tokens that are out, and of one more. */
static void grow(struct world *w, struct sem_state *s)
{
	uint64_t need = s->sent - s->received + 2;
	if (need > MAX_STAMPS) {
		free_stamps(w, s); /* so many tokens: whoever waits learns nothing of the poster's time */
		return;
	}
	if (need <= s->stamp_cap)
		return;
	uint32_t cap = s->stamp_cap ? s->stamp_cap * 2 : 8;
	while (cap < need)
		cap *= 2;
	uint64_t *stamp = world_alloc(w, cap * sizeof *stamp);
	if (s->stamp_cap) {
		for (uint64_t n = 0; n < s->stamp_cap; n++) /* the newest that many */
			stamp[(s->sent - 1 - n) & (cap - 1)] = s->stamp[(s->sent - 1 - n) & (s->stamp_cap - 1)];
		world_free(w, s->stamp, s->stamp_cap * sizeof *stamp);
	}
	s->stamp = stamp;
	s->stamp_cap = cap;
}

static void apply(struct world *w, struct wthread *t, unsigned alt, const struct decision *d)
{
	struct object *x = world_obj(w, t->op.obj[0]);
	struct sem_state *s = &x->sem;
	if (d->misuse)
		return;
	if (!s->known && t->op.kind != EV_SEM_INIT) {
		s->known = true;
		s->sent = s->received + t->op.arg[1] - 1;
	}
	switch (op_kind(&t->op)) {
	case EV_SEM_INIT:
		x->destroyed = false;
		s->known = true;
		s->received = s->sent; /* numbers go on */
		s->sent += t->op.arg[0];
		free_stamps(w, s);
		break;
	case EV_SEM_DESTROY:
		x->destroyed = true;
		break;
	case EV_SEM_POST:
		if (!d->result) {
			s->sent++;
			grow(w, s);
			if (s->stamp_cap)
				s->stamp[s->sent & (s->stamp_cap - 1)] = t->clock;
		}
		break;
	case EV_SEM_GETVALUE:
		break;
	case EV_SEM_WAIT:
	case EV_SEM_TRYWAIT:
		if (!d->result)
			s->received++;
		break;
	case EVENTS_BUT(SEM):
		break;
	}
}

const struct model model_sem = { decide, apply };
