/* Semaphores, unnamed and named. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#include "sync_check.h"

static sem_t sem, back;
static int message;

static int value(sem_t *s)
{
	int v;

	EXPECT(sem_getvalue(s, &v), 0);
	return v;
}

#define FAILS(expr, error)                                                                         \
	do {                                                                                       \
		errno = 0;                                                                         \
		EXPECT(expr, -1);                                                                  \
		EXPECT(errno, error);                                                              \
	} while (0)

static void one_thread(void)
{
	struct timespec past = {1, 0}, bad = {1, 1000000000};

	FAILS(sem_init(&sem, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
	EXPECT(sem_init(&sem, 0, 2), 0);
	EXPECT(value(&sem), 2);
	EXPECT(sem_wait(&sem), 0);
	EXPECT(sem_trywait(&sem), 0);
	EXPECT(value(&sem), 0);
	FAILS(sem_trywait(&sem), EAGAIN);
	FAILS(sem_timedwait(&sem, &past), ETIMEDOUT);
	FAILS(sem_timedwait(&sem, &bad), EINVAL);
	FAILS(sem_clockwait(&sem, CLOCK_MONOTONIC, &past), ETIMEDOUT);
	FAILS(sem_clockwait(&sem, CLOCK_PROCESS_CPUTIME_ID, &past), EINVAL);
	EXPECT(sem_post(&sem), 0);
	EXPECT(sem_timedwait(&sem, &past), 0); /* available, so the time is not checked */
	EXPECT(sem_destroy(&sem), 0);
	EXPECT(sem_init(&sem, 0, SEM_VALUE_MAX), 0);
	FAILS(sem_post(&sem), EOVERFLOW);
	EXPECT(value(&sem), SEM_VALUE_MAX);
	EXPECT(sem_destroy(&sem), 0);
}

static void *answers(void *arg)
{
	EXPECT(sem_wait(&sem), 0);
	message *= 2;
	EXPECT(sem_post(&back), 0);
	return NULL;
}

static void two_threads(void)
{
	pthread_t t;

	EXPECT(sem_init(&sem, 0, 0), 0);
	EXPECT(sem_init(&back, 1, 0), 0);
	EXPECT(pthread_create(&t, NULL, answers, NULL), 0);
	message = 21;
	EXPECT(sem_post(&sem), 0);
	EXPECT(sem_wait(&back), 0);
	EXPECT(message, 42);
	EXPECT(pthread_join(t, NULL), 0);
	EXPECT(sem_destroy(&sem), 0);
	EXPECT(sem_destroy(&back), 0);
}

static void named(void)
{
	char name[64];

	snprintf(name, sizeof(name), "/sync_sem_test_%d", (int)getpid());
	sem_unlink(name);
	CHECK(sem_open(name, 0) == SEM_FAILED);
	EXPECT(errno, ENOENT);
	sem_t *s = sem_open(name, O_CREAT | O_EXCL, 0600, 3);

	CHECK(s != SEM_FAILED);
	CHECK(sem_open(name, O_CREAT | O_EXCL, 0600, 3) == SEM_FAILED);
	EXPECT(errno, EEXIST);
	CHECK(sem_open(name, O_CREAT, 0600, 9) == s);
	EXPECT(sem_wait(s), 0);
	EXPECT(value(s), 2);
	EXPECT(sem_close(s), 0);
	EXPECT(sem_close(s), 0);
	s = sem_open(name, O_CREAT, 0600, 9); /* it is still there, with its value */
	CHECK(s != SEM_FAILED);
	EXPECT(value(s), 2);
	EXPECT(sem_unlink(name), 0);
	FAILS(sem_unlink(name), ENOENT);
	EXPECT(sem_post(s), 0);
	EXPECT(value(s), 3);
	EXPECT(sem_close(s), 0);
}

int main(void)
{
	one_thread();
	two_threads();
	named();
	return 0;
}
