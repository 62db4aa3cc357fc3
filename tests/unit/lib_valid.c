/* Checks of the world: see lib_valid.h. */
#include "tests/unit/lib_valid.h"

#include "base/check.h"
#include "sched/world_internal.h"

/* ---- queues ---- */

static bool named(const struct queue *q, thread_id t)
{
	for (const struct token *k = q->tokens; k; k = k->next)
		if (k->only == t)
			return true;
	return false;
}

static void check_tokens(const struct queue *q, object_id o)
{
	uint32_t n = 0, nameless = 0;
	uint64_t limit = 0;
	for (const struct token *k = q->tokens; k; k = k->next, n++) {
		uint32_t who = 0;
		if (k->only == NO_THREAD) {
			nameless++;
			INVARIANT(k->limit >= limit && k->limit <= q->enqueued, "object %u: tokens are not nested", o);
			limit = k->limit;
		}
		for (const struct waiter *x = q->first; x; x = x->next)
			who += k->only == NO_THREAD ? x->no <= k->limit && !named(q, x->thread)
						    : x->thread == k->only;
		INVARIANT(who >= (k->only == NO_THREAD ? nameless : 1), "object %u: a token that nobody can take", o);
	}
	INVARIANT(n == q->n_tokens, "object %u counts %u tokens and has %u", o, q->n_tokens, n);
}

static void check_queue(const struct world *w, const struct object *x)
{
	const struct queue *q = &x->queue;
	uint32_t n = 0;
	uint64_t no = 0;
	for (const struct waiter *k = q->first; k; k = k->next, n++) {
		INVARIANT(k->queue == x->id && k->no > no && k->no <= q->enqueued, "waiter of object %u", x->id);
		INVARIANT(world_alive(w, k->thread), "thread %u waits and has ended", k->thread);
		no = k->no;
	}
	INVARIANT(n == q->waiters, "object %u counts %u waiters and has %u", x->id, q->waiters, n);
	check_tokens(q, x->id);
}

/* ---- other objects ---- */

static void check_mutex(const struct world *w, const struct object *x)
{
	const struct mutex_state *m = &x->mutex;
	if (m->owner == NO_THREAD) {
		INVARIANT(m->depth == 0 && !m->owner_died && !m->inconsistent, "free mutex %u", x->id);
		return;
	}
	INVARIANT(m->depth > 0 && w->thread[m->owner], "held mutex %u", x->id);
	INVARIANT(world_alive(w, m->owner) || m->owner_died, "the owner of mutex %u has ended", x->id);
	INVARIANT(!m->not_recoverable, "mutex %u cannot be held", x->id);
}

static void check_rwlock(const struct world *w, const struct object *x)
{
	uint32_t n = 0;
	for (const struct share *s = x->rwlock.shares; s; s = s->next) {
		INVARIANT(s->n && world_alive(w, s->thread), "share of rwlock %u", x->id);
		for (const struct share *s2 = s->next; s2; s2 = s2->next)
			INVARIANT(s2->thread != s->thread, "rwlock %u has two shares of one thread", x->id);
		n += s->n;
	}
	INVARIANT(n == x->rwlock.readers, "rwlock %u counts %u readers and has %u", x->id, x->rwlock.readers, n);
	INVARIANT(!n || x->rwlock.writer == NO_THREAD, "rwlock %u has readers and a writer", x->id);
	INVARIANT(x->rwlock.claim == NO_THREAD || x->rwlock.writer == NO_THREAD, "rwlock %u has a writer, and one that waits for readers", x->id);
	INVARIANT(x->rwlock.claim == NO_THREAD || world_alive(w, x->rwlock.claim), "the writer that waits for rwlock %u has ended", x->id);
}

static bool waits_at(const struct op *op, bool has_op, bool may_pass, object_id o)
{
	return has_op && op->kind == EV_BARRIER_PASS && op->obj[0] == o && !may_pass;
}

static void check_barrier(const struct world *w, const struct object *x)
{
	uint32_t waiting = 0;
	for (uint32_t i = 0; i < w->n_live; i++) {
		const struct wthread *t = w->thread[w->live[i]];
		waiting += waits_at(&t->op, t->has_op, t->may_pass, x->id);
		for (const struct suspended *s = t->suspended; s; s = s->next)
			waiting += waits_at(&s->op, s->has_op, s->may_pass, x->id);
	}
	INVARIANT(x->barrier.arrived == waiting, "barrier %u counts %u arrived, %u wait", x->id,
		x->barrier.arrived, waiting);
	INVARIANT(!waiting || waiting < x->barrier.count, "barrier %u is complete and %u wait", x->id, waiting);
}

static void check_object(const struct world *w, object_id o)
{
	const struct object *x = world_obj(w, o);
	INVARIANT(x && x->id == o && x->kind > OBJ_NONE && x->kind < OBJ_COUNT, "object %u", o);
	INVARIANT(x->number && x->number <= w->number[x->kind], "number of object %u", o);
	object_id found = world_find(w, x->kind, x->addr);
	INVARIANT(found >= o && found <= w->objects, "object %u is not found by its address", o);
	if (x->kind == OBJ_MUTEX || x->kind == OBJ_SPIN)
		check_mutex(w, x);
	else if (x->kind == OBJ_COND || x->kind == OBJ_FUTEX)
		check_queue(w, x);
	else if (x->kind == OBJ_RWLOCK)
		check_rwlock(w, x);
	else if (x->kind == OBJ_BARRIER)
		check_barrier(w, x);
	else if (x->kind == OBJ_SEM)
		INVARIANT(x->sem.received <= x->sem.sent && !(x->sem.stamp_cap & (x->sem.stamp_cap - 1)),
			"semaphore %u", o);
	else if (x->kind == OBJ_ONCE)
		INVARIANT(x->once.phase != ONCE_RUNNING || w->thread[x->once.runner], "once %u", o);
}

/* ---- threads ---- */

static bool in_queue(const struct world *w, const struct waiter *x)
{
	const struct waiter *k = world_obj(w, x->queue)->queue.first;
	while (k && k != x)
		k = k->next;
	return k;
}

static void check_wait(const struct world *w, thread_id t, const struct op *op, const struct waiter *x)
{
	bool queued = op->kind == EV_COND_WAKE || op->kind == EV_COND_WOKEN || op->kind == EV_FUTEX_WOKEN;
	INVARIANT((x != NULL) == (queued || op->kind == EV_COND_RELOCK), "thread %u: waiter without a wait", t);
	if (!x)
		return;
	INVARIANT(x->thread == t && in_queue(w, x) == queued, "thread %u: its place in the queue", t);
	INVARIANT(op->obj[0] == (queued ? x->queue : x->mutex), "thread %u waits for another object", t);
}

static uint32_t count_held(const struct world *w, thread_id t)
{
	uint32_t n = 0;
	for (object_id o = 1; o <= w->objects; o++) {
		const struct object *x = world_obj(w, o);
		if (x->kind == OBJ_MUTEX || x->kind == OBJ_SPIN)
			n += x->mutex.owner == t;
		if (x->kind != OBJ_RWLOCK)
			continue;
		n += x->rwlock.writer == t;
		for (const struct share *s = x->rwlock.shares; s; s = s->next)
			n += s->thread == t ? s->n : 0;
	}
	return n;
}

static void check_thread(const struct world *w, const struct wthread *t)
{
	const struct event *e = &w->config.trace->pending[t->id];
	INVARIANT(t->id < w->config.trace->threads, "thread %u is not in the trace", t->id);
	INVARIANT(count_held(w, t->id) == t->held, "thread %u counts %u locks held", t->id, t->held);
	INVARIANT(t->has_op || !t->waiter, "thread %u waits for nothing", t->id);
	if (t->has_op) {
		check_wait(w, t->id, &t->op, t->waiter);
		INVARIANT(e->kind != EV_NONE && e->thread == t->id, "pending operation of thread %u", t->id);
	} else {
		INVARIANT(e->kind == EV_NONE, "thread %u has no pending operation", t->id);
	}
	for (const struct suspended *s = t->suspended; s; s = s->next)
		if (s->has_op)
			check_wait(w, t->id, &s->op, s->waiter);
}

void world_valid(const struct world *w)
{
	uint32_t alive = 0;
	for (uint32_t t = 0; t < w->thread_cap; t++)
		if (w->thread[t]) {
			INVARIANT(w->thread[t]->id == t, "thread %u", t);
			alive += w->thread[t]->alive;
			check_thread(w, w->thread[t]);
		}
	INVARIANT(alive == w->n_live, "%u threads are alive, %u listed", alive, w->n_live);
	for (uint32_t i = 0; i < w->n_live; i++)
		INVARIANT(world_alive(w, w->live[i]) && (!i || w->live[i - 1] < w->live[i]), "list of threads");
	for (object_id o = 1; o <= w->objects; o++)
		check_object(w, o);
}

unsigned world_held(const struct world *w, thread_id t, object_id *out, unsigned n)
{
	unsigned found = 0;
	for (object_id o = 1; o <= w->objects && w->thread[t]->held; o++) {
		const struct object *x = world_obj(w, o);
		bool mine = (x->kind == OBJ_MUTEX || x->kind == OBJ_SPIN) && x->mutex.owner == t;
		if (x->kind == OBJ_RWLOCK) {
			mine = x->rwlock.writer == t;
			for (const struct share *s = x->rwlock.shares; s && !mine; s = s->next)
				mine = s->thread == t;
		}
		if (mine && found < n)
			out[found] = o;
		found += mine;
	}
	return found;
}
