/* C11 threads. As in glibc, each function does what the POSIX one does, and returns other result codes. */
#include <errno.h>

#include "preload/accesses/ranges.h"
#include "preload/control/ctl.h"
#include "preload/base/real.h"
#include "preload/hooks/sync.h"

#include "preload/base/rules.h"

/* Each C11 object must be the POSIX object of the same meaning. glibc asserts that for itself; simul needs it too. */
_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "mtx_t is a pthread_mutex_t");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "cnd_t is a pthread_cond_t");
_Static_assert(sizeof(once_flag) == sizeof(pthread_once_t), "once_flag is a pthread_once_t");
_Static_assert(sizeof(thrd_t) == sizeof(pthread_t), "thrd_t is a pthread_t");

static pthread_mutex_t *mutex(mtx_t *m)
{
	return (pthread_mutex_t *)m;
}

static pthread_cond_t *cond(cnd_t *c)
{
	return (pthread_cond_t *)c;
}

static int c11_result(int err)
{
	switch (err) {
	case 0:
		return thrd_success;
	case ENOMEM:
		return thrd_nomem;
	case ETIMEDOUT:
		return thrd_timedout;
	case EBUSY:
		return thrd_busy;
	default:
		return thrd_error;
	}
}

/* ---- threads ---- */

/* The function that a new thread runs, and its argument. As in glibc, the result of the function becomes the pointer that the thread
   returns. */
struct c11_start {
	thrd_start_t function;
	void *arg;
};

static void *c11_thread(void *p)
{
	struct c11_start s = *(struct c11_start *)p;

	if (ctl_state == CTL_ON)
		ctl_free(p, sizeof(s));
	return (void *)(intptr_t)s.function(s.arg);
}

int thrd_create(thrd_t *thread, thrd_start_t function, void *arg)
{
	if (ctl_state != CTL_ON || ctl_inside)
		return real_thrd_create(thread, function, arg);
	struct c11_start *s = ctl_alloc(sizeof(*s));

	*s = (struct c11_start){function, arg};
	int err = pthread_create(thread, NULL, c11_thread, s);

	if (err)
		ctl_free(s, sizeof(*s));
	return c11_result(err);
}

int thrd_join(thrd_t thread, int *result)
{
	void *value;
	int err = pthread_join(thread, &value);

	if (!err && result)
		range_put(result, &(int){(int)(intptr_t)value}, sizeof(*result), (uintptr_t)HERE);
	return c11_result(err);
}

int thrd_detach(thrd_t thread)
{
	return c11_result(pthread_detach(thread));
}

void thrd_exit(int result)
{
	pthread_exit((void *)(intptr_t)result);
}

/* ---- mutexes ---- */

int mtx_init(mtx_t *m, int type)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
	return c11_result(sync_mutex_init(mutex(m), &attr, HERE));
}

void mtx_destroy(mtx_t *m)
{
	sync_mutex_destroy(mutex(m), HERE);
}

int mtx_lock(mtx_t *m)
{
	return c11_result(sync_mutex_lock(mutex(m), HERE));
}

int mtx_trylock(mtx_t *m)
{
	return c11_result(sync_mutex_trylock(mutex(m), HERE));
}

int mtx_timedlock(mtx_t *m, const struct timespec *ts)
{
	return c11_result(sync_mutex_timedlock(mutex(m), CLOCK_REALTIME, ts, HERE));
}

int mtx_unlock(mtx_t *m)
{
	return c11_result(sync_mutex_unlock(mutex(m), HERE));
}

/* ---- conditions ---- */

int cnd_init(cnd_t *c)
{
	return c11_result(sync_cond_init(cond(c), NULL, HERE));
}

void cnd_destroy(cnd_t *c)
{
	sync_cond_destroy(cond(c), HERE);
}

int cnd_signal(cnd_t *c)
{
	return c11_result(sync_cond_wake(cond(c), EV_COND_SIGNAL, HERE));
}

int cnd_broadcast(cnd_t *c)
{
	return c11_result(sync_cond_wake(cond(c), EV_COND_BROADCAST, HERE));
}

int cnd_wait(cnd_t *c, mtx_t *m)
{
	return c11_result(sync_cond_wait(cond(c), mutex(m), HERE));
}

int cnd_timedwait(cnd_t *c, mtx_t *m, const struct timespec *ts)
{
	return c11_result(sync_cond_timedwait(cond(c), mutex(m), ts, HERE));
}

void call_once(once_flag *flag, void (*function)(void))
{
	sync_once((int *)flag, function, HERE);
}
