/* sb_mutex: store buffering with a lock in between: critical sections of one mutex order the threads
   -DWEAK: each thread has its own mutex: a lock is no fence */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

static pthread_mutex_t m1 = PTHREAD_MUTEX_INITIALIZER, m2 = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y, r1, r2;
#ifdef WEAK
#define SECOND m2
#else
#define SECOND m1
#endif

static void *one(void *arg)
{
	store(&x, 1, rlx);
	pthread_mutex_lock(&m1);
	pthread_mutex_unlock(&m1);
	store(&r1, load(&y, rlx), rlx);
	return NULL;
}

static void *two(void *arg)
{
	store(&y, 1, rlx);
	pthread_mutex_lock(&SECOND);
	pthread_mutex_unlock(&SECOND);
	store(&r2, load(&x, rlx), rlx);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, one, (void *)0L);
	pthread_create(&t[1], NULL, two, (void *)1L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	CHECK(load(&r1, rlx) || load(&r2, rlx));
	return 0;
}
