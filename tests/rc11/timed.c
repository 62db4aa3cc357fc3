/* A call that time may end, which the search over graphs does not know. */
#define _GNU_SOURCE
#include <pthread.h>
#include <time.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int n;

static void *adder(void *unused)
{
	struct timespec soon;

	clock_gettime(CLOCK_REALTIME, &soon);
	soon.tv_sec++;
	if (pthread_mutex_timedlock(&m, &soon))
		return unused;
	store(&n, load(&n, rlx) + 1, rlx);
	pthread_mutex_unlock(&m);
	return unused;
}

int main(void)
{
	RUN(adder, adder);
	CHECK(load(&n, rlx) <= 2);
	return 0;
}
