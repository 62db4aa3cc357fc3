/* See wake_queue.h. */
#include "enforce/lib/wake_queue.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "enforce/lib/real.h"
#include "enforce/lib/short_lock.h"

/* ---- with the lock held ---- */

static void rouse(struct waiter *w)
{
	__atomic_store_n(&w->wake, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &w->wake, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void rouse_all(struct wake_queue *q)
{
	for (struct waiter *w = q->first; w; w = w->next)
		rouse(w);
}

static struct waiter *room_for_token(struct wake_queue *q)
{
	struct waiter *w = q->first;

	while (w && w->has)
		w = w->next;
	return w;
}

static void add_token(struct wake_queue *q, const struct waiter *only)
{
	struct waiter *room = room_for_token(q);

	room->has = 1;
	room->limit = q->enqueued;
	room->only = only;
	q->tokens++;
}

static void drop_token(struct wake_queue *q, struct waiter *room)
{
	room->has = 0;
	q->tokens--;
}

/* Returns the waiter in whose room a token lies that names this waiter; NULL if there is none. */
static struct waiter *token_by_name(const struct wake_queue *q, const struct waiter *me)
{
	for (struct waiter *w = q->first; w; w = w->next)
		if (w->has && w->only == me)
			return w;
	return NULL;
}

/* Returns the waiter in whose room the token lies that this waiter takes: one that names it, or the oldest that it may take. NULL if
   there is none. */
static struct waiter *token_for(const struct wake_queue *q, const struct waiter *me)
{
	struct waiter *best = token_by_name(q, me);

	for (struct waiter *w = best ? NULL : q->first; w; w = w->next)
		if (w->has && !w->only && me->number <= w->limit && (!best || w->limit < best->limit))
			best = w;
	return best;
}

/* A waiter has left without a token, so one of the tokens that name no waiter may be surplus. `leaving` is no longer in the queue, but
   its room is still in use. */
static void prune(struct wake_queue *q, struct waiter *leaving)
{
	struct waiter *drop = NULL;

	leaving->next = q->first; /* while its room is looked at */
	for (struct waiter *t = leaving; t; t = t->next) {
		uint32_t tokens = 0, waiters = 0;

		if (!t->has || t->only)
			continue;
		for (struct waiter *w = leaving; w; w = w->next) {
			tokens += w->has && !w->only && w->limit <= t->limit;
			waiters += w != leaving && w->number <= t->limit && !token_by_name(q, w) &&
				!(leaving->has && leaving->only == w);
		}
		if (tokens > waiters && (!drop || t->limit < drop->limit))
			drop = t;
	}
	if (drop)
		drop_token(q, drop);
}

/* Moves the token in the room of a waiter that is no longer in the queue to the room of another waiter. */
static void move_token(struct wake_queue *q, struct waiter *from)
{
	struct waiter *room = room_for_token(q);

	if (from->has && room) {
		room->has = 1;
		room->limit = from->limit;
		room->only = from->only;
		from->has = 0;
	} else if (from->has) {
		drop_token(q, from);
	}
}

static void take_out(struct wake_queue *q, struct waiter *w)
{
	struct waiter **link = &q->first;

	while (*link != w)
		link = &(*link)->next;
	*link = w->next;
	q->waiters--;
}

/* Adds a waiter behind all others. */
static void add_waiter(struct wake_queue *q, struct waiter *w)
{
	struct waiter **link = &q->first;

	w->next = NULL;
	w->number = ++q->enqueued;
	__atomic_store_n(&w->in, q, __ATOMIC_RELEASE);
	while (*link)
		link = &(*link)->next;
	*link = w;
	q->waiters++;
}

/* Removes the waiter from the queue, with the token that lies at `token` (NULL: without one). */
static void leave(struct wake_queue *q, struct waiter *me, struct waiter *token)
{
	struct waiter *named = token ? token : token_by_name(q, me);

	if (named)
		drop_token(q, named);
	take_out(q, me);
	if (!token)
		prune(q, me);
	move_token(q, me);
	if (q->tokens)
		rouse_all(q);
}

/* Returns the oldest waiter after w (NULL: the oldest of all) that no wake-up has reached and that has one of the bits; NULL if there is
   none. *spare: the number of tokens that name no waiter and are not yet counted; the oldest waiters get them. */
static struct waiter *next_unreached(const struct wake_queue *q, struct waiter *w, uint32_t bits, uint32_t *spare)
{
	for (w = w ? w->next : q->first; w; w = w->next) {
		if (token_by_name(q, w))
			continue;
		if (*spare)
			--*spare;
		else if (w->bits & bits)
			return w;
	}
	return NULL;
}

static uint32_t nameless_tokens(const struct wake_queue *q)
{
	uint32_t n = 0;

	for (struct waiter *w = q->first; w; w = w->next)
		n += w->has && !w->only;
	return n;
}

static bool all_alike(const struct wake_queue *q)
{
	for (const struct waiter *w = q->first; w; w = w->next)
		if (w->bits != WAKE_ANY)
			return false;
	return true;
}

/* Wakes as many waiters as there are new tokens; each of them may take one. A waiter that was woken before and has not looked yet takes
   an earlier token. */
static void rouse_some(struct wake_queue *q, uint32_t n)
{
	for (struct waiter *w = q->first; w && n; w = w->next) {
		if (__atomic_load_n(&w->wake, __ATOMIC_RELAXED))
			continue;
		rouse(w);
		n--;
	}
}

static uint32_t wake_any(struct wake_queue *q, uint32_t n)
{
	uint32_t made = 0;

	for (; made < n && q->tokens < q->waiters; made++)
		add_token(q, NULL);
	rouse_some(q, made);
	return made;
}

static uint32_t wake_by_name(struct wake_queue *q, uint32_t n, uint32_t bits)
{
	uint32_t spare = nameless_tokens(q), made = 0;

	for (struct waiter *w = NULL; made < n && (w = next_unreached(q, w, bits, &spare)); made++) {
		add_token(q, w);
		rouse(w);
	}
	return made;
}

/* Moves the oldest waiters that no wake-up has reached, at most n. Both locks are held. */
static uint32_t move_some(struct wake_queue *q, struct wake_queue *to, uint32_t n)
{
	uint32_t spare = nameless_tokens(q), moved = 0;
	struct waiter *w = next_unreached(q, NULL, WAKE_ANY, &spare), *next;

	for (; w && moved < n; w = next, moved++) {
		next = next_unreached(q, w, WAKE_ANY, &spare);
		if (!to)
			continue;
		take_out(q, w);
		move_token(q, w);
		w->limit = 0;
		w->only = NULL;
		add_waiter(to, w);
	}
	return moved;
}

/* ---- the operations ---- */

/* Locks the queue in which the thread waits. */
static struct wake_queue *lock_own(struct waiter *me)
{
	for (;;) {
		struct wake_queue *q = wake_queue_of(me);

		short_lock(&q->lock);
		if (q == wake_queue_of(me))
			return q;
		short_unlock(&q->lock);
	}
}

bool wake_queue_enter(struct wake_queue *q, struct waiter *me, uint32_t bits, const volatile uint32_t *word, uint32_t value)
{
	bool joins;

	short_lock(&q->lock);
	joins = !word || *word == value;
	if (joins) {
		*me = (struct waiter){.bits = bits};
		add_waiter(q, me);
	}
	short_unlock(&q->lock);
	return joins;
}

uint32_t wake_queue_wake(struct wake_queue *q, uint32_t n, uint32_t bits)
{
	uint32_t made;

	short_lock(&q->lock);
	made = bits == WAKE_ANY && all_alike(q) ? wake_any(q, n) : wake_by_name(q, n, bits);
	short_unlock(&q->lock);
	return made;
}

/* The thread holds no lock of this library meanwhile. Returns 0 or -1 with errno, as the system call does. */
static long sleep_on(struct waiter *me, clockid_t clock, const struct timespec *until, bool cancelable)
{
	int op = FUTEX_WAIT_BITSET_PRIVATE | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0), type;
	long r;

	if (cancelable)
		(void)REAL(pthread_setcanceltype)(PTHREAD_CANCEL_ASYNCHRONOUS, &type);
	r = syscall(SYS_futex, &me->wake, op, 0, until, NULL, FUTEX_BITSET_MATCH_ANY);
	if (cancelable)
		(void)REAL(pthread_setcanceltype)(type, NULL);
	return r;
}

/* A time before the epoch, which the kernel rejects, has passed as well. */
bool wake_queue_take(struct waiter *me, clockid_t clock, const struct timespec *until, bool cancelable)
{
	struct wake_queue *q;
	struct waiter *token;

	for (;;) {
		long r;

		q = lock_own(me);
		__atomic_store_n(&me->wake, 0, __ATOMIC_RELAXED);
		token = token_for(q, me);
		if (token)
			leave(q, me, token);
		short_unlock(&q->lock);
		if (token)
			return true;
		r = sleep_on(me, clock, until, cancelable);
		if (r < 0 && errno != EAGAIN && errno != EINTR)
			break;
	}
	q = lock_own(me);
	token = token_for(q, me); /* it may have come at the last moment */
	leave(q, me, token);
	short_unlock(&q->lock);
	return token != NULL;
}

void wake_queue_leave(struct waiter *me)
{
	struct wake_queue *q = lock_own(me);

	leave(q, me, NULL);
	short_unlock(&q->lock);
}

struct wake_queue *wake_queue_of(const struct waiter *me)
{
	return __atomic_load_n(&me->in, __ATOMIC_ACQUIRE);
}

bool wake_queue_requeue(struct wake_queue *q, struct wake_queue *to, uint32_t wake, uint32_t move,
	const volatile uint32_t *word, uint32_t value, struct requeued *done)
{
	struct wake_queue *first = to && to < q ? to : q, *second = to ? (first == q ? to : q) : NULL;
	bool matches;

	short_lock(&first->lock);
	if (second)
		short_lock(&second->lock);
	matches = !word || *word == value;
	if (matches) {
		done->woken = all_alike(q) ? wake_any(q, wake) : wake_by_name(q, wake, WAKE_ANY);
		done->moved = move_some(q, to, move);
	}
	if (second)
		short_unlock(&second->lock);
	short_unlock(&first->lock);
	return matches;
}
