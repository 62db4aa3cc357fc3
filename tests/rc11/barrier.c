/* barrier: a barrier of a counter
   -DWEAK: arrival is no release: a data race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

#ifdef WEAK
#define ARRIVE acq
#else
#define ARRIVE ar
#endif
static atomic_int arrived;
static int part[3];

static void *worker(void *arg)
{
	int me = (int)(long)arg;

	part[me] = 1;
	fadd(&arrived, 1, ARRIVE);
	while (load(&arrived, acq) != 3)
		SPIN();
	CHECK(part[0] + part[1] + part[2] == 3);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, worker, (void *)0L);
	pthread_create(&t[1], NULL, worker, (void *)1L);
	pthread_create(&t[2], NULL, worker, (void *)2L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[2], NULL);
	return 0;
}
