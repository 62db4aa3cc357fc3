/*
 * This library's own condition variables replace the program's pthread_cond_t: a wait is several events, and which waiter a signal wakes is
 * a choice that the certificate makes for those of the prefix. With real ones a thread that waits there could be woken too early, or never.
 *
 * Waiters and signals are those of wake_queue.h. All zero bytes, as in PTHREAD_COND_INITIALIZER, are a condition variable without waiters.
 */
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "enforce/lib/operation.h"
#include "enforce/lib/real.h"
#include "enforce/lib/wake_queue.h"

struct cond {
	struct wake_queue queue;
	clockid_t clock; /* CLOCK_REALTIME is 0 */
};
_Static_assert(sizeof(struct cond) <= sizeof(pthread_cond_t) && sizeof(pthread_cond_t) == sizeof(cnd_t), "it takes its place");

static int signal_some(struct cond *c, bool all)
{
	wake_queue_wake(&c->queue, all ? WAKE_ALL : 1, WAKE_ANY);
	return 0;
}

/* ---- waiting ---- */

static void begin_wait(struct cond *c, pthread_mutex_t *m, struct waiter *me)
{
	struct use use[2] = {use_of(OBJ_COND, c), use_of(OBJ_MUTEX, m)};
	bool mine = gate_begin(EV_COND_WAIT, use, 2);

	wake_queue_enter(&c->queue, me, WAKE_ANY, NULL, 0);
	REAL(pthread_mutex_unlock)(m);
	if (mine)
		gate_end();
}

static void relock(pthread_mutex_t *m)
{
	PLAIN(EV_COND_RELOCK, OBJ_MUTEX, m, REAL(pthread_mutex_lock)(m));
}

struct wait {
	struct waiter me;
	pthread_mutex_t *m;
};

/* The waiting thread has been cancelled. Its cleanup handlers have the mutex. */
static void cancelled(void *arg)
{
	struct wait *w = arg;

	wake_queue_leave(&w->me);
	relock(w->m);
}

/* Waits for a token, and takes it. Behind the prefix it is a cancellation point. In the prefix no thread gets a
   cancellation. */
static bool take_token(struct wait *w, bool mine, clockid_t clock, const struct timespec *until)
{
	bool woken;

	pthread_cleanup_push(cancelled, w);
	woken = wake_queue_take(&w->me, clock, until, !mine);
	pthread_cleanup_pop(0);
	return woken;
}

/* Token and mutex are one event. */
static int wait_untimed(struct cond *c, pthread_mutex_t *m)
{
	struct use use[2] = {use_of(OBJ_COND, c), use_of(OBJ_MUTEX, m)};
	struct wait w = {.m = m};
	int error = errno;
	bool mine;

	begin_wait(c, m, &w.me);
	mine = gate_begin(EV_COND_WAKE, use, 2);
	take_token(&w, mine, CLOCK_MONOTONIC, NULL);
	REAL(pthread_mutex_lock)(m);
	if (mine)
		gate_end();
	errno = error;
	return 0;
}

/* The thread takes the mutex in an event of its own. In the prefix the certificate decides whether the wait times out. */
static int wait_timed(struct cond *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	struct use use = use_of(OBJ_COND, c);
	const struct plan_event *next;
	struct wait w = {.m = m};
	int error = errno;
	bool mine, woken;

	if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
		return EINVAL;
	begin_wait(c, m, &w.me);
	next = gate_next_call();
	mine = gate_begin(next && next->kind == EV_COND_TIMEOUT ? EV_COND_TIMEOUT : EV_COND_WOKEN, &use, 1);
	if (mine && gate_event()->kind == EV_COND_TIMEOUT) {
		wake_queue_leave(&w.me);
		woken = false;
	} else {
		woken = take_token(&w, mine, clock, mine ? NULL : until);
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
