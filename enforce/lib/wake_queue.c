/* See wake_queue.h. */
#include "enforce/lib/wake_queue.h"

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

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

/* Removes the waiter from the queue, with the token that lies at `token` (NULL: without one). */
static void leave(struct wake_queue *q, struct waiter *me, struct waiter *token)
{
	struct waiter **link = &q->first, *named = token ? token : token_by_name(q, me);

	if (named)
		drop_token(q, named);
	while (*link != me)
		link = &(*link)->next;
	*link = me->next;
	q->waiters--;
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

/* ---- the operations ---- */

bool wake_queue_enter(struct wake_queue *q, struct waiter *me, uint32_t bits, const volatile uint32_t *word, uint32_t value)
{
	struct waiter **link = &q->first;
	bool joins;

	short_lock(&q->lock);
	joins = !word || *word == value;
	if (joins) {
		*me = (struct waiter){.number = ++q->enqueued, .bits = bits};
		while (*link)
			link = &(*link)->next;
		*link = me;
		q->waiters++;
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

/* A time before the epoch, which the kernel rejects, has passed as well. */
bool wake_queue_take(struct wake_queue *q, struct waiter *me, clockid_t clock, const struct timespec *until)
{
	struct waiter *token;

	for (;;) {
		long r;

		short_lock(&q->lock);
		__atomic_store_n(&me->wake, 0, __ATOMIC_RELAXED);
		token = token_for(q, me);
		if (token)
			leave(q, me, token);
		short_unlock(&q->lock);
		if (token)
			return true;
		r = syscall(SYS_futex, &me->wake, FUTEX_WAIT_BITSET_PRIVATE | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0), 0, until, NULL,
			FUTEX_BITSET_MATCH_ANY);
		if (r < 0 && errno != EAGAIN && errno != EINTR)
			break;
	}
	short_lock(&q->lock);
	token = token_for(q, me); /* it may have come at the last moment */
	leave(q, me, token);
	short_unlock(&q->lock);
	return token != NULL;
}

void wake_queue_leave(struct wake_queue *q, struct waiter *me)
{
	short_lock(&q->lock);
	leave(q, me, NULL);
	short_unlock(&q->lock);
}
