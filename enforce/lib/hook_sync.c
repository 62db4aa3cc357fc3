/* Semaphores and reader-writer locks: libc's own. The order of the certificate ensures that none of them blocks inside the prefix. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <time.h>

#include "enforce/lib/gate.h"
#include "enforce/lib/operation.h"
#include "enforce/lib/real.h"

/* ---- semaphores: calls that fail return -1 and set errno ---- */

static int would_fail(int error)
{
	errno = error;
	return -1;
}

EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
	return PLAIN(EV_SEM_INIT, OBJ_SEM, s, REAL(sem_init)(s, shared, value));
}

EXPORT int sem_destroy(sem_t *s)
{
	return PLAIN(EV_SEM_DESTROY, OBJ_SEM, s, REAL(sem_destroy)(s));
}

EXPORT int sem_post(sem_t *s)
{
	return PLAIN(EV_SEM_POST, OBJ_SEM, s, REAL(sem_post)(s));
}

EXPORT int sem_wait(sem_t *s)
{
	return PLAIN(EV_SEM_WAIT, OBJ_SEM, s, REAL(sem_wait)(s));
}

EXPORT int sem_trywait(sem_t *s)
{
	return ATTEMPT(EV_SEM_TRYWAIT, OBJ_SEM, s, REAL(sem_trywait)(s), would_fail(EAGAIN), result_ != 0);
}

EXPORT int sem_timedwait(sem_t *s, const struct timespec *until)
{
	return ATTEMPT(EV_SEM_TRYWAIT, OBJ_SEM, s, REAL(sem_timedwait)(s, until), would_fail(ETIMEDOUT), result_ != 0);
}

EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *until)
{
	return ATTEMPT(EV_SEM_TRYWAIT, OBJ_SEM, s, REAL(sem_clockwait)(s, clock, until), would_fail(ETIMEDOUT), result_ != 0);
}

EXPORT int sem_getvalue(sem_t *s, int *value)
{
	return PLAIN(EV_SEM_GETVALUE, OBJ_SEM, s, REAL(sem_getvalue)(s, value));
}

/* ---- reader-writer locks ---- */

EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	return PLAIN(EV_RW_INIT, OBJ_RWLOCK, l, REAL(pthread_rwlock_init)(l, attr));
}

EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	return PLAIN(EV_RW_DESTROY, OBJ_RWLOCK, l, REAL(pthread_rwlock_destroy)(l));
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	return PLAIN(EV_RW_RDLOCK, OBJ_RWLOCK, l, REAL(pthread_rwlock_rdlock)(l));
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	return PLAIN(EV_RW_WRLOCK, OBJ_RWLOCK, l, REAL(pthread_rwlock_wrlock)(l));
}

EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	return ATTEMPT(EV_RW_TRYRDLOCK, OBJ_RWLOCK, l, REAL(pthread_rwlock_tryrdlock)(l), EBUSY, result_ == EBUSY);
}

EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	return ATTEMPT(EV_RW_TRYWRLOCK, OBJ_RWLOCK, l, REAL(pthread_rwlock_trywrlock)(l), EBUSY, result_ == EBUSY);
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return ATTEMPT(EV_RW_TRYRDLOCK, OBJ_RWLOCK, l, REAL(pthread_rwlock_timedrdlock)(l, until), ETIMEDOUT, result_ == ETIMEDOUT);
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *until)
{
	return ATTEMPT(EV_RW_TRYWRLOCK, OBJ_RWLOCK, l, REAL(pthread_rwlock_timedwrlock)(l, until), ETIMEDOUT, result_ == ETIMEDOUT);
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	return ATTEMPT(EV_RW_TRYRDLOCK, OBJ_RWLOCK, l, REAL(pthread_rwlock_clockrdlock)(l, clock, until), ETIMEDOUT, result_ == ETIMEDOUT);
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock, const struct timespec *until)
{
	return ATTEMPT(EV_RW_TRYWRLOCK, OBJ_RWLOCK, l, REAL(pthread_rwlock_clockwrlock)(l, clock, until), ETIMEDOUT, result_ == ETIMEDOUT);
}

/* Only libc knows whether this releases a read or a write lock; the certificate has one of the two. */
EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	const struct plan_event *next = gate_next_call();
	enum event_kind kind = next && next->kind == EV_RW_WRUNLOCK ? EV_RW_WRUNLOCK : EV_RW_RDUNLOCK;

	return PLAIN(kind, OBJ_RWLOCK, l, REAL(pthread_rwlock_unlock)(l));
}
