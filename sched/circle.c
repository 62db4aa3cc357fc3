/* Threads that wait for each other: see circle.h. */
#include "sched/circle.h"

#include "sched/membuf.h"
#include "sched/world_internal.h"

/* ---- spin locks of the program's own ---- */

static bool writes(const struct event *e)
{
	return mode_changes_bytes(e->mode[0]) && (e->kind == EV_STORE || e->kind == EV_RMW || e->kind == EV_UPDATE);
}

/* Returns the thread that holds the word which this pending operation wants to take; NO_THREAD: none, or the word may be no lock. */
static thread_id word_holder(const struct trace *trace, const struct op *op)
{
	const struct event wanted = { .kind = op->kind, .obj = { op->obj[0], op->obj[1] }, .span = op->span };
	uint64_t lo, hi, from, to;
	uint32_t free = op->type; /* fingerprint of the value of a lock that is free */
	thread_id holder = NO_THREAD;
	if (!event_bytes(&wanted, &lo, &hi))
		return NO_THREAD;
	for (uint32_t i = 0; i < trace->n; i++) {
		const struct event *e = &trace->event[i];
		if (!writes(e) || !event_bytes(e, &from, &to) || from > hi || to < lo)
			continue;
		if (!event_found(e))
			return NO_THREAD;
		free = free || e->kind != EV_RMW ? free : event_found(e);
		if (e->kind == EV_RMW && event_found(e) == free && holder == NO_THREAD)
			holder = e->thread;
		else if (holder == event_owner(e))
			holder = NO_THREAD;
		else if (holder != NO_THREAD || e->kind == EV_RMW || event_found(e) != free)
			return NO_THREAD;
	}
	return holder;
}

/* Returns the thread that holds the word for which t waits; NO_THREAD as above. */
static thread_id holder_for(const struct world *w, const struct wthread *t)
{
	bool parks = waits_for_lock(w, t) && await_at(w->config.await, t->await->node)->what & AWAIT_PARKS;
	return parks ? NO_THREAD : word_holder(w->config.trace, &t->op);
}

/* Returns whether t comes back to its pending access after a single iteration of its spin loop. */
static bool spins_on_one_word(const struct world *w, const struct wthread *t)
{
	if (waits_for_lock(w, t))
		return true;
	uint32_t node = t->await && (t->op.flags & OPF_AWAIT) && t->op.kind == EV_RMW ? t->await->node : 0;
	return node && await_next(w->config.await, node, membuf_value(w, t, t->op.arg[0], (uint32_t)t->op.arg[1])) == node;
}

/* ---- edges ---- */

thread_id world_waits_for(const struct world *w, thread_id id)
{
	const struct wthread *t = w->thread[id];
	struct object_info info;
	if (!t->has_op)
		return NO_THREAD;
	if (t->op.kind == EV_THREAD_JOIN)
		return world_obj(w, t->op.obj[0])->thread.id;
	if (waits_for_lock(w, t))
		return holder_for(w, t);
	if (t->op.kind == EV_RW_WRLOCK || t->op.kind == EV_RW_RDLOCK) {
		const struct rwlock_state *l = &world_obj(w, t->op.obj[0])->rwlock;
		if (l->claim != NO_THREAD && !rwlock_claimed(&t->op))
			return l->claim; /* it gets the lock first */
		if (t->op.kind == EV_RW_WRLOCK && l->shares && !l->shares->next)
			return l->shares->thread;
	}
	if (t->op.kind == EV_COND_WAKE) /* the thread waits for a signal first, and after it for the mutex */
		return waiter_has_token(w, t->waiter) ? world_obj(w, t->waiter->mutex)->mutex.owner : NO_THREAD;
	if (t->op.kind == EV_ONCE_ENTER)
		return world_obj(w, t->op.obj[0])->once.phase == ONCE_RUNNING
			       ? world_obj(w, t->op.obj[0])->once.runner : NO_THREAD;
	return world_object_info(w, t->op.obj[0], &info) ? info.owner : NO_THREAD;
}

static bool is_in(const uint64_t *set, thread_id t)
{
	return t != NO_THREAD && set[t / 64] >> t % 64 & 1;
}

/* A thread of the set that holds the lock for reading. NO_THREAD: there is none. */
static thread_id reader_in(const struct rwlock_state *l, const uint64_t *set)
{
	for (const struct share *s = l->shares; s; s = s->next)
		if (is_in(set, s->thread))
			return s->thread;
	return NO_THREAD;
}

/* A thread of the set that t waits for. NO_THREAD: there is none. */
static thread_id next_in(const struct world *w, const struct wthread *t, const uint64_t *set)
{
	thread_id next = NO_THREAD;
	if (!t->has_op || (t->op.flags & OPF_TIMED))
		return NO_THREAD;
	if (spins_on_one_word(w, t))
		next = holder_for(w, t);
	else if (event_kind_object(t->op.kind) != OBJ_MEMORY && event_kind_flags(t->op.kind) & K_BLOCK)
		next = world_waits_for(w, t->id);
	if (next == NO_THREAD && t->op.kind == EV_RW_WRLOCK)
		next = reader_in(&world_obj(w, t->op.obj[0])->rwlock, set);
	return is_in(set, next) ? next : NO_THREAD;
}

unsigned world_circle(const struct world *w, thread_id *out, unsigned max)
{
	uint64_t set[(MAX_THREADS + 63) / 64] = { 0 };
	bool removed = true;
	unsigned n = 0;
	thread_id t = NO_THREAD, first;
	if (w->n_live < 2)
		return 0;
	for (uint32_t i = 0; i < w->n_live; i++)
		set[w->live[i] / 64] |= UINT64_C(1) << w->live[i] % 64;
	while (removed) { /* threads that wait for none of the others are in no circle */
		removed = false;
		t = NO_THREAD;
		for (uint32_t i = 0; i < w->n_live; i++) {
			thread_id k = w->live[i];
			if (!is_in(set, k))
				continue;
			if (next_in(w, w->thread[k], set) == NO_THREAD) {
				set[k / 64] &= ~(UINT64_C(1) << k % 64);
				removed = true;
			} else if (t == NO_THREAD) {
				t = k;
			}
		}
	}
	if (t == NO_THREAD)
		return 0;
	for (uint32_t i = 0; i < w->n_live; i++)
		t = next_in(w, w->thread[t], set); /* now it is on the circle */
	first = t;
	for (uint32_t i = 0; i < w->n_live; i++) { /* begin with the smallest number, so that it does not matter where the walk came from */
		t = next_in(w, w->thread[t], set);
		first = t < first ? t : first;
	}
	t = first;
	do {
		if (n < max)
			out[n] = t;
		n++;
		t = next_in(w, w->thread[t], set);
	} while (t != first);
	return n;
}
