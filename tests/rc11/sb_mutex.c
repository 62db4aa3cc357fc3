/* sb_mutex: store buffering with a lock in between: critical sections of one mutex order the threads
   -DWEAK: each thread has its own mutex: a lock is no fence */
#include <pthread.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

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
	RUN(one, two);
	CHECK(load(&r1, rlx) || load(&r2, rlx));
	return 0;
}
