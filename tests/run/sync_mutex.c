/* Mutexes of every type in one thread, and what a second thread sees of them. */
#include <errno.h>
#include <pthread.h>

#include "sync_check.h"

static pthread_mutex_t typed(int type, int robust)
{
	pthread_mutexattr_t a;
	pthread_mutex_t m;

	EXPECT(pthread_mutexattr_init(&a), 0);
	EXPECT(pthread_mutexattr_settype(&a, type), 0);
	EXPECT(pthread_mutexattr_setrobust(&a, robust), 0);
	EXPECT(pthread_mutex_init(&m, &a), 0);
	pthread_mutexattr_destroy(&a);
	return m;
}

static void normal(void)
{
	pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	struct timespec past = {1, 0}, bad = {1, 1000000000};

	EXPECT(pthread_mutex_timedlock(&m, &bad), 0); /* the time is not checked */
	EXPECT(pthread_mutex_trylock(&m), EBUSY);
	EXPECT(pthread_mutex_timedlock(&m, &past), ETIMEDOUT);
	EXPECT(pthread_mutex_timedlock(&m, &bad), EINVAL);
	EXPECT(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past), ETIMEDOUT);
	EXPECT(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
	EXPECT(pthread_mutex_unlock(&m), 0);
	EXPECT(pthread_mutex_trylock(&m), 0);
	EXPECT(pthread_mutex_unlock(&m), 0);
	EXPECT(pthread_mutex_destroy(&m), 0);
	m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; /* a new mutex, although no function was called */
	EXPECT(pthread_mutex_lock(&m), 0);
	m = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; /* even where a locked one was */
	EXPECT(pthread_mutex_lock(&m), 0);
	EXPECT(pthread_mutex_unlock(&m), 0);
}

static void recursive(void)
{
	pthread_mutex_t m = typed(PTHREAD_MUTEX_RECURSIVE, 0);

	for (int i = 0; i < 3; i++)
		EXPECT(pthread_mutex_lock(&m), 0);
	EXPECT(pthread_mutex_trylock(&m), 0);
	for (int i = 0; i < 4; i++)
		EXPECT(pthread_mutex_unlock(&m), 0);
	EXPECT(pthread_mutex_unlock(&m), EPERM);
	EXPECT(pthread_mutex_destroy(&m), 0);
}

static void *others(void *p)
{
	pthread_mutex_t *m = p;

	EXPECT(pthread_mutex_trylock(m), EBUSY);
	EXPECT(pthread_mutex_unlock(m), EPERM);
	return NULL;
}

static void errorcheck(void)
{
	pthread_mutex_t m = typed(PTHREAD_MUTEX_ERRORCHECK, 0);
	struct timespec past = {1, 0};
	pthread_t t;

	EXPECT(pthread_mutex_unlock(&m), EPERM);
	EXPECT(pthread_mutex_lock(&m), 0);
	EXPECT(pthread_mutex_lock(&m), EDEADLK);
	EXPECT(pthread_mutex_timedlock(&m, &past), EDEADLK);
	EXPECT(pthread_mutex_trylock(&m), EBUSY);
	EXPECT(pthread_create(&t, NULL, others, &m), 0);
	EXPECT(pthread_join(t, NULL), 0);
	EXPECT(pthread_mutex_unlock(&m), 0);
	EXPECT(pthread_mutex_destroy(&m), 0);
}

static void *dies_holding(void *m)
{
	EXPECT(pthread_mutex_lock(m), 0);
	return NULL;
}

static void owner_dies(pthread_mutex_t *m)
{
	pthread_t t;

	EXPECT(pthread_create(&t, NULL, dies_holding, m), 0);
	EXPECT(pthread_join(t, NULL), 0);
}

static void robust(void)
{
	pthread_mutex_t m = typed(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST);

	owner_dies(&m);
	EXPECT(pthread_mutex_lock(&m), EOWNERDEAD);
	EXPECT(pthread_mutex_consistent(&m), 0);
	EXPECT(pthread_mutex_unlock(&m), 0);
	EXPECT(pthread_mutex_lock(&m), 0);
	EXPECT(pthread_mutex_consistent(&m), EINVAL);
	EXPECT(pthread_mutex_unlock(&m), 0);
	owner_dies(&m);
	EXPECT(pthread_mutex_trylock(&m), EOWNERDEAD);
	EXPECT(pthread_mutex_unlock(&m), 0); /* not made consistent */
	EXPECT(pthread_mutex_lock(&m), ENOTRECOVERABLE);
	EXPECT(pthread_mutex_destroy(&m), 0);
}

static void protocols(void)
{
	pthread_mutexattr_t a;
	pthread_mutex_t m, n = PTHREAD_MUTEX_INITIALIZER;
	int ceiling;

	EXPECT(pthread_mutexattr_init(&a), 0);
	EXPECT(pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT), 0);
	EXPECT(pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED), 0);
	EXPECT(pthread_mutex_init(&m, &a), 0);
	EXPECT(pthread_mutex_lock(&m), 0);
	EXPECT(pthread_mutex_trylock(&m), EBUSY);
	EXPECT(pthread_mutex_unlock(&m), 0);
	EXPECT(pthread_mutex_getprioceiling(&m, &ceiling), EINVAL);
	EXPECT(pthread_mutex_setprioceiling(&n, 1, &ceiling), EINVAL);
}

int main(void)
{
	normal();
	recursive();
	errorcheck();
	robust();
	protocols();
	return 0;
}
