/* Reader-writer locks. */
#include <errno.h>
#include <pthread.h>

#include "sync_check.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct timespec past = {1, 0}, bad = {1, -1};
static int shared;

static void *while_read(void *arg)
{
	EXPECT(pthread_rwlock_trywrlock(&lock), EBUSY);
	EXPECT(pthread_rwlock_timedwrlock(&lock, &past), ETIMEDOUT);
	EXPECT(pthread_rwlock_tryrdlock(&lock), 0);
	EXPECT(pthread_rwlock_unlock(&lock), 0);
	return NULL;
}

static void *while_written(void *arg)
{
	EXPECT(pthread_rwlock_tryrdlock(&lock), EBUSY);
	EXPECT(pthread_rwlock_trywrlock(&lock), EBUSY);
	EXPECT(pthread_rwlock_timedrdlock(&lock, &past), ETIMEDOUT);
	EXPECT(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past), ETIMEDOUT);
	EXPECT(pthread_rwlock_clockrdlock(&lock, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
	EXPECT(pthread_rwlock_timedrdlock(&lock, &bad), EINVAL);
	return NULL;
}

static void from_another(void *(*f)(void *))
{
	pthread_t t;

	EXPECT(pthread_create(&t, NULL, f, NULL), 0);
	EXPECT(pthread_join(t, NULL), 0);
}

static void *writer(void *arg)
{
	EXPECT(pthread_rwlock_wrlock(&lock), 0);
	int v = shared;

	shared = -1;
	shared = v + 1;
	EXPECT(pthread_rwlock_unlock(&lock), 0);
	return NULL;
}

int main(void)
{
	pthread_t t;
	pthread_rwlock_t own = PTHREAD_RWLOCK_INITIALIZER;

	EXPECT(pthread_rwlock_rdlock(&lock), 0);
	EXPECT(pthread_rwlock_rdlock(&lock), 0);
	from_another(while_read);
	EXPECT(pthread_rwlock_unlock(&lock), 0);
	EXPECT(pthread_rwlock_unlock(&lock), 0);
	EXPECT(pthread_rwlock_wrlock(&lock), 0);
	EXPECT(pthread_rwlock_wrlock(&lock), EDEADLK);
	EXPECT(pthread_rwlock_rdlock(&lock), EDEADLK);
	from_another(while_written);
	EXPECT(pthread_rwlock_unlock(&lock), 0);

	EXPECT(pthread_create(&t, NULL, writer, NULL), 0);
	EXPECT(pthread_rwlock_rdlock(&lock), 0);
	CHECK(shared == 0 || shared == 1);
	EXPECT(pthread_rwlock_unlock(&lock), 0);
	writer(NULL);
	EXPECT(pthread_join(t, NULL), 0);
	EXPECT(shared, 2);

	EXPECT(pthread_rwlock_rdlock(&own), 0);
	EXPECT(pthread_rwlock_unlock(&own), 0);
	EXPECT(pthread_rwlock_destroy(&own), 0);
	own = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER; /* without a call */
	EXPECT(pthread_rwlock_wrlock(&own), 0);
	own = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
	EXPECT(pthread_rwlock_rdlock(&own), 0);
	EXPECT(pthread_rwlock_unlock(&own), 0);
	EXPECT(pthread_rwlock_destroy(&own), 0);
	EXPECT(pthread_rwlock_init(&own, NULL), 0);
	EXPECT(pthread_rwlock_trywrlock(&own), 0);
	EXPECT(pthread_rwlock_unlock(&own), 0);
	EXPECT(pthread_rwlock_destroy(&own), 0);
	return 0;
}
