/*
 * Condition variables of our own, in the place of the program's pthread_cond_t: a wait is several events, and which waiter a signal wakes is a
 * choice that the certificate makes for those of the prefix. With real ones a thread that waits there could be woken too early, or never.
 *
 * A signal makes one token, good for the threads that wait at that moment; a broadcast makes one for each of them. A waiter that wakes up takes the
 * oldest token that it may. That is what the search assumes (sched/model_cond.c). All zero bytes, as in PTHREAD_COND_INITIALIZER, are one
 * without waiters.
 */
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "enforce/lib/operation.h"
#include "enforce/lib/real.h"

/* A thread that waits, on its stack. Each offers the room for one token: there are never more of these than waiters. */
struct waiter {
	struct waiter *next;
	uint32_t number; /* in the order in which they came */
	uint32_t wake;   /* futex: 1: there may be a token for it */
	uint32_t has;    /* 1: the room is taken, by */
	uint32_t limit;  /* a token for waiters up to this number */
};

struct cond {
	uint32_t lock;          /* 1: held */
	uint32_t enqueued;      /* number of the latest waiter */
	uint32_t waiters, tokens;
	struct waiter *first;   /* oldest first */
	clockid_t clock;        /* CLOCK_REALTIME is 0 */
};
_Static_assert(sizeof(struct cond) <= sizeof(pthread_cond_t) && sizeof(pthread_cond_t) == sizeof(cnd_t), "it takes its place");

static void lock(struct cond *c)
{
	while (__atomic_exchange_n(&c->lock, 1, __ATOMIC_ACQUIRE))
		sched_yield();
}

static void unlock(struct cond *c)
{
	__atomic_store_n(&c->lock, 0, __ATOMIC_RELEASE);
}

/* ---- with the lock held ---- */

static void rouse(struct waiter *w)
{
	__atomic_store_n(&w->wake, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &w->wake, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void rouse_all(struct cond *c)
{
	for (struct waiter *w = c->first; w; w = w->next)
		rouse(w);
}

static void enqueue(struct cond *c, struct waiter *me)
{
	struct waiter **link = &c->first;

	*me = (struct waiter){.number = ++c->enqueued};
	while (*link)
		link = &(*link)->next;
	*link = me;
	c->waiters++;
}

static struct waiter *room_for_token(struct cond *c)
{
	struct waiter *w = c->first;

	while (w && w->has)
		w = w->next;
	return w;
}

static void add_token(struct cond *c)
{
	struct waiter *room = room_for_token(c);

	room->has = 1;
	room->limit = c->enqueued;
	c->tokens++;
}

/* Where the oldest token lies that the waiter may take; NULL: there is none. */
static struct waiter *token_for(const struct cond *c, const struct waiter *me)
{
	struct waiter *best = NULL;

	for (struct waiter *w = c->first; w; w = w->next)
		if (w->has && me->number <= w->limit && (!best || w->limit < best->limit))
			best = w;
	return best;
}

/* The waiter leaves, with the token that lies at `token`, or without one. */
static void leave(struct cond *c, struct waiter *me, struct waiter *token)
{
	struct waiter **link = &c->first;

	while (*link != me)
		link = &(*link)->next;
	*link = me->next;
	c->waiters--;
	if (token) {
		token->has = 0;
		c->tokens--;
	}
	if (me->has) { /* the room goes with it, the token stays, if there is still a waiter for each */
		struct waiter *room = room_for_token(c);

		me->has = 0;
		if (room) {
			room->has = 1;
			room->limit = me->limit;
		} else {
			c->tokens--;
		}
	}
	if (c->tokens)
		rouse_all(c);
}

static int signal_some(struct cond *c, bool all)
{
	lock(c);
	while (c->tokens < c->waiters) {
		add_token(c);
		if (!all)
			break;
	}
	if (all) {
		rouse_all(c);
	} else if (c->tokens) {
		struct waiter *w = c->first;

		while (w->next && __atomic_load_n(&w->wake, __ATOMIC_RELAXED))
			w = w->next;
		rouse(w);
	}
	unlock(c);
	return 0;
}

/* ---- waiting ---- */

/* Takes a token. false: the time is up, and the thread waits no longer. A time before the epoch, which the kernel refuses, is up as well. */
static bool take(struct cond *c, struct waiter *me, clockid_t clock, const struct timespec *until)
{
	for (;;) {
		struct waiter *token;
		long r;

		lock(c);
		__atomic_store_n(&me->wake, 0, __ATOMIC_RELAXED);
		token = token_for(c, me);
		if (token)
			leave(c, me, token);
		unlock(c);
		if (token)
			return true;
		r = syscall(SYS_futex, &me->wake, FUTEX_WAIT_BITSET_PRIVATE | (clock == CLOCK_REALTIME ? FUTEX_CLOCK_REALTIME : 0), 0, until, NULL,
			FUTEX_BITSET_MATCH_ANY);
		if (r < 0 && errno != EAGAIN && errno != EINTR)
			break;
	}
	lock(c);
	struct waiter *token = token_for(c, me); /* it may have come at the last moment */
	leave(c, me, token);
	unlock(c);
	return token != NULL;
}

static void give_up(struct cond *c, struct waiter *me)
{
	lock(c);
	leave(c, me, NULL);
	unlock(c);
}

static void begin_wait(struct cond *c, pthread_mutex_t *m, struct waiter *me)
{
	struct use use[2] = {use_of(OBJ_COND, c), use_of(OBJ_MUTEX, m)};
	bool mine = gate_begin(EV_COND_WAIT, use, 2);

	lock(c);
	enqueue(c, me);
	unlock(c);
	REAL(pthread_mutex_unlock)(m);
	if (mine)
		gate_end();
}

static void relock(pthread_mutex_t *m)
{
	PLAIN(EV_COND_RELOCK, OBJ_MUTEX, m, REAL(pthread_mutex_lock)(m));
}

/* Token and mutex are one event. */
static int wait_untimed(struct cond *c, pthread_mutex_t *m)
{
	struct use use[2] = {use_of(OBJ_COND, c), use_of(OBJ_MUTEX, m)};
	struct waiter me;
	int error = errno;
	bool mine;

	begin_wait(c, m, &me);
	mine = gate_begin(EV_COND_WAKE, use, 2);
	take(c, &me, CLOCK_MONOTONIC, NULL);
	REAL(pthread_mutex_lock)(m);
	if (mine)
		gate_end();
	errno = error;
	return 0;
}

/* The mutex is taken in an event of its own. In the prefix the certificate says whether the time is up. */
static int wait_timed(struct cond *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	struct use use = use_of(OBJ_COND, c);
	const struct plan_event *next;
	struct waiter me;
	int error = errno;
	bool mine, woken;

	if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
		return EINVAL;
	begin_wait(c, m, &me);
	next = gate_next();
	mine = gate_begin(next && next->kind == EV_COND_TIMEOUT ? EV_COND_TIMEOUT : EV_COND_WOKEN, &use, 1);
	if (mine && gate_event()->kind == EV_COND_TIMEOUT) {
		give_up(c, &me);
		woken = false;
	} else {
		woken = take(c, &me, clock, mine ? NULL : until);
	}
	if (mine)
		gate_end();
	relock(m);
	errno = error;
	return woken ? 0 : ETIMEDOUT;
}

/* ---- the names ---- */

EXPORT int pthread_cond_init(pthread_cond_t *at, const pthread_condattr_t *attr)
{
	clockid_t clock = CLOCK_REALTIME;

	if (!gate_owns)
		return REAL_VERSION(pthread_cond_init, "GLIBC_2.3.2")(at, attr);
	if (attr)
		pthread_condattr_getclock(attr, &clock);
	return PLAIN(EV_COND_INIT, OBJ_COND, at, (*(struct cond *)at = (struct cond){.clock = clock}, 0));
}

EXPORT int pthread_cond_destroy(pthread_cond_t *at)
{
	if (!gate_owns)
		return REAL_VERSION(pthread_cond_destroy, "GLIBC_2.3.2")(at);
	return PLAIN(EV_COND_DESTROY, OBJ_COND, at, 0);
}

EXPORT int pthread_cond_wait(pthread_cond_t *at, pthread_mutex_t *m)
{
	if (!gate_owns)
		return REAL_VERSION(pthread_cond_wait, "GLIBC_2.3.2")(at, m);
	return wait_untimed((struct cond *)at, m);
}

EXPORT int pthread_cond_timedwait(pthread_cond_t *at, pthread_mutex_t *m, const struct timespec *until)
{
	if (!gate_owns)
		return REAL_VERSION(pthread_cond_timedwait, "GLIBC_2.3.2")(at, m, until);
	return wait_timed((struct cond *)at, m, ((struct cond *)at)->clock, until);
}

EXPORT int pthread_cond_clockwait(pthread_cond_t *at, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	if (!gate_owns)
		return REAL(pthread_cond_clockwait)(at, m, clock, until);
	return wait_timed((struct cond *)at, m, clock, until);
}

EXPORT int pthread_cond_signal(pthread_cond_t *at)
{
	if (!gate_owns)
		return REAL_VERSION(pthread_cond_signal, "GLIBC_2.3.2")(at);
	return PLAIN(EV_COND_SIGNAL, OBJ_COND, at, signal_some((struct cond *)at, false));
}

EXPORT int pthread_cond_broadcast(pthread_cond_t *at)
{
	if (!gate_owns)
		return REAL_VERSION(pthread_cond_broadcast, "GLIBC_2.3.2")(at);
	return PLAIN(EV_COND_BROADCAST, OBJ_COND, at, signal_some((struct cond *)at, true));
}

EXPORT int cnd_init(cnd_t *at)
{
	if (!gate_owns)
		return REAL(cnd_init)(at);
	return PLAIN(EV_COND_INIT, OBJ_COND, at, (*(struct cond *)at = (struct cond){.clock = CLOCK_REALTIME}, thrd_success));
}

EXPORT void cnd_destroy(cnd_t *at)
{
	if (!gate_owns)
		REAL(cnd_destroy)(at);
	else
		PLAIN(EV_COND_DESTROY, OBJ_COND, at, 0);
}

EXPORT int cnd_wait(cnd_t *at, mtx_t *m)
{
	if (!gate_owns)
		return REAL(cnd_wait)(at, m);
	wait_untimed((struct cond *)at, (pthread_mutex_t *)m);
	return thrd_success;
}

EXPORT int cnd_timedwait(cnd_t *restrict at, mtx_t *restrict m, const struct timespec *restrict until)
{
	if (!gate_owns)
		return REAL(cnd_timedwait)(at, m, until);
	int r = wait_timed((struct cond *)at, (pthread_mutex_t *)m, CLOCK_REALTIME, until);
	return r == 0 ? thrd_success : r == ETIMEDOUT ? thrd_timedout : thrd_error;
}

EXPORT int cnd_signal(cnd_t *at)
{
	if (!gate_owns)
		return REAL(cnd_signal)(at);
	return PLAIN(EV_COND_SIGNAL, OBJ_COND, at, (signal_some((struct cond *)at, false), thrd_success));
}

EXPORT int cnd_broadcast(cnd_t *at)
{
	if (!gate_owns)
		return REAL(cnd_broadcast)(at);
	return PLAIN(EV_COND_BROADCAST, OBJ_COND, at, (signal_some((struct cond *)at, true), thrd_success));
}
