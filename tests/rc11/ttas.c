/* ttas: test and test-and-set lock
   -DWEAK: locked with relaxed: a data race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

#ifdef WEAK
#define LOCK rlx
#else
#define LOCK acq
#endif
static atomic_int locked;
static int shared;

static void *worker(void *arg)
{
	int zero;

	do {
		while (load(&locked, rlx))
			SPIN();
		zero = 0;
	} while (!cas(&locked, &zero, 1, LOCK, rlx));
	shared++;
	store(&locked, 0, rel);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, worker, (void *)0L);
	pthread_create(&t[1], NULL, worker, (void *)1L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	CHECK(shared == 2);
	return 0;
}
