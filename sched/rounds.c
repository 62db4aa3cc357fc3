/* Rounds of waiting loops; see rounds.h. */
#include "sched/rounds.h"

#include <errno.h>

#include "sched/membuf.h"
#include "sched/world_internal.h"

#define HEADS 32  /* states of one wait */
#define HOLDS 8   /* locks that it holds at the same time */
#define TOUCHED 8 /* objects that it looks at */

/* A lock that the thread took since it began to wait. */
struct hold {
	object_id lock;
	uint64_t step;  /* w->steps when it was taken */
	uint32_t heads; /* states that were there before */
};

struct rounds {
	struct {
		uint64_t state, step; /* w->steps then */
	} head[HEADS]; /* the states in which the thread announced operations since it last did anything but wait */
	uint32_t heads;
	struct hold hold[HOLDS];
	uint32_t holds;
	struct look {
		object_id obj;
		uint64_t step; /* w->steps when the thread last looked */
		uint64_t addr; /* memory: where; else 0 */
		uint32_t size, found;
	} touched[TOUCHED];
	uint32_t touches;
	bool closed;    /* a round ends before the pending operation, */
	uint64_t since; /* which began then */
};

static void forget(struct rounds *r)
{
	r->heads = r->holds = r->touches = 0;
	r->closed = false;
}

static bool on(const struct world *w)
{
	return w->config.rounds && !w->rounds_tried;
}

void rounds_announced(struct world *w, struct wthread *t)
{
	struct rounds *r = t->rounds;
	bool head = t->op.state && event_kind_object(t->op.kind) != OBJ_MEMORY && w->config.rounds;
	if (r)
		r->closed = false;
	if (!head)
		return;
	if (!r)
		r = t->rounds = world_alloc(w, sizeof *r);
	for (uint32_t i = 0; i < r->heads && !r->closed; i++) {
		r->closed = r->head[i].state == t->op.state;
		r->since = r->head[i].step;
	}
	if (r->closed)
		return;
	if (r->heads == HEADS)
		forget(r);
	r->head[r->heads].state = t->op.state;
	r->head[r->heads++].step = w->steps;
}

bool rounds_over(const struct world *w, const struct wthread *t)
{
	return t->rounds && t->rounds->closed && on(w) && *w->config.rounds;
}

bool rounds_matter(const struct wthread *t)
{
	return t->rounds && t->rounds->closed;
}

static void look(struct rounds *r, struct look now)
{
	uint32_t i = 0;
	while (i < r->touches && (r->touched[i].obj != now.obj || r->touched[i].addr != now.addr || r->touched[i].size != now.size))
		i++;
	if (i == TOUCHED) {
		forget(r);
		return;
	}
	r->touches += i == r->touches;
	r->touched[i] = now;
}

static void look_at(const struct world *w, struct rounds *r, const struct wthread *t, const struct event *e)
{
	struct look now = { .obj = e->obj[0], .step = w->steps };
	if (object_is_memory(e->obj[0])) {
		now.addr = t->op.arg[0];
		now.size = (uint32_t)t->op.arg[1];
		now.found = event_found(e);
	}
	look(r, now);
}

static void take(struct world *w, struct rounds *r, object_id o)
{
	if (r->holds == HOLDS) {
		forget(r);
		return;
	}
	r->hold[r->holds++] = (struct hold){ o, w->steps, r->heads };
}

/* Another thread that tried to get the lock meanwhile has seen the round, so it cannot be left out. And a round that begins while the lock
   is held lets other threads take it in between. */
static void give(struct world *w, struct rounds *r, object_id o)
{
	uint32_t i = r->holds;
	while (i && r->hold[i - 1].lock != o)
		i--;
	if (!i || world_obj(w, o)->changed != r->hold[i - 1].step) {
		forget(r);
		return;
	}
	if (r->hold[i - 1].heads < r->heads)
		r->heads = r->hold[i - 1].heads;
	for (r->holds--; i <= r->holds; i++)
		r->hold[i - 1] = r->hold[i];
}

/* Returns whether the event only observes. */
static bool observes(const struct event *e)
{
	return event_failed(e) && e->mode[0] == M_READ && (e->mode[1] == M_NONE || e->mode[1] == M_READ) && !(e->flags & EVF_LATE);
}

static void lock_performed(struct world *w, struct wthread *t, const struct event *e)
{
	struct rounds *r = t->rounds;
	look_at(w, r, t, e);
	if (e->mode[0] == M_ACQ && !e->result)
		take(w, r, e->obj[0]);
	else if (!observes(e) || (e->result != EBUSY && e->result != ETIMEDOUT))
		forget(r);
}

void rounds_performed(struct world *w, struct wthread *t, const struct event *e)
{
	struct rounds *r = t->rounds;
	if (!r)
		return;
	switch (event_kind_of(e)) {
	case EV_YIELD:
	case EV_SLEEP:
	case EV_GIVE_WAY:
		break;
	case EV_MUTEX_LOCK:
	case EV_SPIN_LOCK:
	case EV_MUTEX_TRYLOCK:
	case EV_SPIN_TRYLOCK:
		lock_performed(w, t, e);
		break;
	case EV_MUTEX_UNLOCK:
	case EV_SPIN_UNLOCK:
		look_at(w, r, t, e);
		if (e->result || e->mode[0] != M_REL)
			forget(r);
		else
			give(w, r, e->obj[0]);
		break;
	case EV_LOAD:
		look_at(w, r, t, e);
		break;
	case EV_RMW:
	case EV_SEM_TRYWAIT:
	case EV_RW_TRYRDLOCK:
	case EV_RW_TRYWRLOCK:
	case EV_FD_POLL:
		look_at(w, r, t, e);
		if (!observes(e))
			forget(r);
		break;
	case EV_NONE:
	case EV_COUNT:
	case EV_BEGIN_THREAD ... EV_LAST_THREAD:
	case EV_MUTEX_INIT:
	case EV_MUTEX_DESTROY:
	case EV_MUTEX_CONSISTENT:
	case EV_SPIN_INIT:
	case EV_SPIN_DESTROY:
	case EV_BEGIN_COND ... EV_LAST_COND:
	case EV_RW_INIT:
	case EV_RW_DESTROY:
	case EV_RW_RDLOCK:
	case EV_RW_WRLOCK:
	case EV_RW_RDUNLOCK:
	case EV_RW_WRUNLOCK:
	case EV_SEM_INIT:
	case EV_SEM_DESTROY:
	case EV_SEM_POST:
	case EV_SEM_WAIT:
	case EV_SEM_GETVALUE:
	case EV_BEGIN_BARRIER ... EV_LAST_BARRIER:
	case EV_BEGIN_ONCE ... EV_LAST_ONCE:
	case EV_BEGIN_FUTEX ... EV_LAST_FUTEX:
	case EV_THREAD_START:
	case EV_SIGNAL_MASK:
	case EV_FENCE:
	case EV_FD_READ:
	case EV_FD_WRITE:
	case EV_FD_OTHER:
	case EV_SIGNAL_HANDLER:
	case EV_SIGNAL_WAIT:
	case EV_PROCESS_WAIT:
	case EV_STORE:
	case EV_UPDATE:
	case EV_BEGIN_CHOOSE ... EV_LAST_CHOOSE:
	case EV_BEGIN_REGION ... EV_LAST_REGION:
	case EV_BEGIN_END ... EV_LAST_END:
		forget(r);
	}
}

/* Returns whether something that the thread looked at in its round has changed since. */
static bool changed(const struct world *w, const struct wthread *t)
{
	const struct rounds *r = t->rounds;
	for (uint32_t i = 0; i < r->touches; i++) {
		const struct look *l = &r->touched[i];
		if (l->step <= r->since)
			continue;
		if (l->addr ? membuf_value(w, t, l->addr, l->size) != l->found : world_obj(w, l->obj)->changed > l->step)
			return true;
	}
	return false;
}

bool world_rounds_covered(const struct world *w)
{
	for (uint32_t i = 0; i < w->n_live; i++) {
		const struct wthread *t = w->thread[w->live[i]];
		if (t->has_op && rounds_over(w, t) && changed(w, t))
			return true;
	}
	return false;
}

bool world_rounds_go_on(struct world *w)
{
	bool some = false;
	for (uint32_t i = 0; i < w->n_live; i++)
		some |= w->thread[w->live[i]]->has_op && rounds_over(w, w->thread[w->live[i]]);
	w->rounds_tried |= some;
	return some;
}
