/* Condition variables: signal, broadcast, timeouts, clocks, cancellation, memory used again. */
#include <errno.h>
#include <pthread.h>

#include "sync_check.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, awake;

/* Returns whether the (normal) mutex is held. */
static void holds(pthread_mutex_t *m)
{
	EXPECT(pthread_mutex_trylock(m), EBUSY);
}

static void *waiter(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!ready)
		EXPECT(pthread_cond_wait(&cond, &lock), 0);
	holds(&lock);
	awake++;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void wakes(int broadcast)
{
	pthread_t t;

	ready = awake = 0;
	EXPECT(pthread_create(&t, NULL, waiter, NULL), 0);
	pthread_mutex_lock(&lock);
	ready = 1;
	EXPECT(broadcast ? pthread_cond_broadcast(&cond) : pthread_cond_signal(&cond), 0);
	pthread_mutex_unlock(&lock);
	EXPECT(pthread_join(t, NULL), 0);
	EXPECT(awake, 1);
}

static void times_out(void)
{
	pthread_condattr_t a;
	pthread_cond_t c;
	struct timespec t = in_ms(CLOCK_REALTIME, 20), bad = {1, 1000000000};

	pthread_mutex_lock(&lock);
	EXPECT(pthread_cond_timedwait(&cond, &lock, &t), ETIMEDOUT);
	holds(&lock);
	EXPECT(pthread_cond_timedwait(&cond, &lock, &bad), EINVAL);
	holds(&lock);
	t = in_ms(CLOCK_MONOTONIC, 20);
	EXPECT(pthread_cond_clockwait(&cond, &lock, CLOCK_MONOTONIC, &t), ETIMEDOUT);
	EXPECT(pthread_cond_clockwait(&cond, &lock, CLOCK_PROCESS_CPUTIME_ID, &t), EINVAL);
	EXPECT(pthread_condattr_init(&a), 0);
	EXPECT(pthread_condattr_setclock(&a, CLOCK_MONOTONIC), 0);
	EXPECT(pthread_cond_init(&c, &a), 0);
	t = in_ms(CLOCK_MONOTONIC, 20);
	EXPECT(pthread_cond_timedwait(&c, &lock, &t), ETIMEDOUT);
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	CHECK(now.tv_sec > t.tv_sec || (now.tv_sec == t.tv_sec && now.tv_nsec >= t.tv_nsec));
	pthread_mutex_unlock(&lock);
	EXPECT(pthread_cond_destroy(&c), 0);
}

static void used_again(void)
{
	pthread_cond_t c = PTHREAD_COND_INITIALIZER;

	EXPECT(pthread_cond_signal(&c), 0);
	EXPECT(pthread_cond_destroy(&c), 0);
	c = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
	EXPECT(pthread_cond_broadcast(&c), 0);
	EXPECT(pthread_cond_destroy(&c), 0);
	EXPECT(pthread_cond_init(&c, NULL), 0);
	EXPECT(pthread_cond_destroy(&c), 0);
}

static void not_held(void)
{
	pthread_mutexattr_t a;
	pthread_mutex_t m;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&m, &a);
	EXPECT(pthread_cond_wait(&cond, &m), EPERM);
	EXPECT(pthread_mutex_lock(&m), 0);
	EXPECT(pthread_mutex_unlock(&m), 0);
}

static int cleaned;

static void cleanup(void *arg)
{
	holds(&lock);
	cleaned = 1;
	pthread_mutex_unlock(&lock);
}

static void *waits_for_ever(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(cleanup, NULL);
	for (;;)
		pthread_cond_wait(&cond, &lock);
	pthread_cleanup_pop(0);
	return NULL;
}

static void cancelled(void)
{
	pthread_t t;
	void *value;

	EXPECT(pthread_create(&t, NULL, waits_for_ever, NULL), 0);
	EXPECT(pthread_cancel(t), 0);
	EXPECT(pthread_join(t, &value), 0);
	CHECK(value == PTHREAD_CANCELED);
	EXPECT(cleaned, 1);
	EXPECT(pthread_mutex_trylock(&lock), 0);
	EXPECT(pthread_mutex_unlock(&lock), 0);
}

int main(void)
{
	wakes(0);
	wakes(1);
	times_out();
	used_again();
	not_held();
	cancelled();
	return 0;
}
