/* Thread-specific data: values by thread, destructors, deleted keys, the limit. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "sync_check.h"

static pthread_key_t key, stubborn;
static _Atomic int seen, rounds; /* destructors of two threads */

static void dtor(void *p)
{
	CHECK(pthread_getspecific(key) == NULL);
	seen += *(int *)p;
}

/* Puts its value back each time: called PTHREAD_DESTRUCTOR_ITERATIONS times, not for ever. */
static void again(void *p)
{
	rounds++;
	pthread_setspecific(stubborn, p);
}

static void *worker(void *p)
{
	CHECK(pthread_getspecific(key) == NULL);
	EXPECT(pthread_setspecific(key, p), 0);
	EXPECT(pthread_setspecific(stubborn, p), 0);
	sched_yield();
	CHECK(pthread_getspecific(key) == p);
	return NULL;
}

static pthread_key_t many[PTHREAD_KEYS_MAX];

int main(void)
{
	pthread_t t[2];
	int one = 1, ten = 10;

	EXPECT(pthread_key_create(&key, dtor), 0);
	EXPECT(pthread_key_create(&stubborn, again), 0);
	EXPECT(pthread_setspecific(key, &rounds), 0);
	EXPECT(pthread_create(&t[0], NULL, worker, &one), 0);
	EXPECT(pthread_create(&t[1], NULL, worker, &ten), 0);
	EXPECT(pthread_join(t[0], NULL), 0);
	EXPECT(pthread_join(t[1], NULL), 0);
	EXPECT(seen, 11);
	EXPECT(rounds, 2 * PTHREAD_DESTRUCTOR_ITERATIONS);
	CHECK(pthread_getspecific(key) == &rounds);

	pthread_key_t old = key;

	EXPECT(pthread_key_delete(key), 0);
	EXPECT(pthread_key_delete(old), EINVAL);
	EXPECT(pthread_setspecific(old, &one), EINVAL);
	EXPECT(pthread_key_create(&key, NULL), 0);
	CHECK(pthread_getspecific(key) == NULL); /* although it may have the number of the old one */

	int n = 0, err;

	while ((err = pthread_key_create(&many[n], NULL)) == 0)
		CHECK(++n < PTHREAD_KEYS_MAX);
	EXPECT(err, EAGAIN);
	CHECK(n > PTHREAD_KEYS_MAX - 64);
	while (n)
		EXPECT(pthread_key_delete(many[--n]), 0);
	return 0;
}
