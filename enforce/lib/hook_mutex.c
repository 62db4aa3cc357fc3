/* Mutexes and spin locks. An attempt that failed in the certificate does not wait: it fails at once. */
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "enforce/lib/operation.h"
#include "enforce/lib/real.h"

EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	return PLAIN(EV_MUTEX_LOCK, OBJ_MUTEX, m, REAL(pthread_mutex_lock)(m));
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	return PLAIN(EV_MUTEX_UNLOCK, OBJ_MUTEX, m, REAL(pthread_mutex_unlock)(m));
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t *m)
{
	return ATTEMPT(EV_MUTEX_TRYLOCK, OBJ_MUTEX, m, REAL(pthread_mutex_trylock)(m), EBUSY, result_ == EBUSY);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *until)
{
	return ATTEMPT(EV_MUTEX_TRYLOCK, OBJ_MUTEX, m, REAL(pthread_mutex_timedlock)(m, until), ETIMEDOUT, result_ == ETIMEDOUT);
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until)
{
	return ATTEMPT(EV_MUTEX_TRYLOCK, OBJ_MUTEX, m, REAL(pthread_mutex_clocklock)(m, clock, until), ETIMEDOUT, result_ == ETIMEDOUT);
}

EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	return PLAIN(EV_MUTEX_INIT, OBJ_MUTEX, m, REAL(pthread_mutex_init)(m, attr));
}

EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
	return PLAIN(EV_MUTEX_DESTROY, OBJ_MUTEX, m, REAL(pthread_mutex_destroy)(m));
}

EXPORT int pthread_spin_lock(pthread_spinlock_t *s)
{
	return PLAIN(EV_SPIN_LOCK, OBJ_SPIN, s, REAL(pthread_spin_lock)(s));
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t *s)
{
	return PLAIN(EV_SPIN_UNLOCK, OBJ_SPIN, s, REAL(pthread_spin_unlock)(s));
}

EXPORT int pthread_spin_trylock(pthread_spinlock_t *s)
{
	return ATTEMPT(EV_SPIN_TRYLOCK, OBJ_SPIN, s, REAL(pthread_spin_trylock)(s), EBUSY, result_ == EBUSY);
}

EXPORT int pthread_spin_init(pthread_spinlock_t *s, int shared)
{
	return PLAIN(EV_SPIN_INIT, OBJ_SPIN, s, REAL(pthread_spin_init)(s, shared));
}

EXPORT int pthread_spin_destroy(pthread_spinlock_t *s)
{
	return PLAIN(EV_SPIN_DESTROY, OBJ_SPIN, s, REAL(pthread_spin_destroy)(s));
}

/* ---- <threads.h> ---- */

EXPORT int mtx_lock(mtx_t *m)
{
	return PLAIN(EV_MUTEX_LOCK, OBJ_MUTEX, m, REAL(mtx_lock)(m));
}

EXPORT int mtx_unlock(mtx_t *m)
{
	return PLAIN(EV_MUTEX_UNLOCK, OBJ_MUTEX, m, REAL(mtx_unlock)(m));
}

EXPORT int mtx_trylock(mtx_t *m)
{
	return ATTEMPT(EV_MUTEX_TRYLOCK, OBJ_MUTEX, m, REAL(mtx_trylock)(m), thrd_busy, result_ == thrd_busy);
}

EXPORT int mtx_timedlock(mtx_t *m, const struct timespec *until)
{
	return ATTEMPT(EV_MUTEX_TRYLOCK, OBJ_MUTEX, m, REAL(mtx_timedlock)(m, until), thrd_timedout, result_ == thrd_timedout);
}

EXPORT int mtx_init(mtx_t *m, int type)
{
	return PLAIN(EV_MUTEX_INIT, OBJ_MUTEX, m, REAL(mtx_init)(m, type));
}

EXPORT void mtx_destroy(mtx_t *m)
{
	PLAIN(EV_MUTEX_DESTROY, OBJ_MUTEX, m, (REAL(mtx_destroy)(m), 0));
}
