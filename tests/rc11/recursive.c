/* A recursive mutex that its owner locks again. */
#define _GNU_SOURCE
#include <pthread.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static atomic_int n;

static void *adder(void *unused)
{
	pthread_mutex_lock(&m);
	pthread_mutex_lock(&m);
	store(&n, load(&n, rlx) + 1, rlx);
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	RUN(adder, adder);
	CHECK(load(&n, rlx) == 2);
	return 0;
}
