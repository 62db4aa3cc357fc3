/* A condition variable. The mutex orders the accesses of `seen`. */
#include <pthread.h>

#include "tests/rc11/orders.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static atomic_int seen;

static void *waiter(void *unused)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	CHECK(load(&seen, rlx) == 1);
	return unused;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, waiter, NULL);
	store(&seen, 1, rlx);
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	pthread_join(t, NULL);
	return 0;
}
