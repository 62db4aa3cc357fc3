/* barrier_sense: a barrier with a sense: the last one frees the others
   -DWEAK: freed with relaxed: a data race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

#ifdef WEAK
#define FREE rlx
#else
#define FREE rel
#endif
static atomic_int arrived, sense;
static int part[2];

static void *worker(void *arg)
{
	int me = (int)(long)arg;

	part[me] = 1;
	if (fadd(&arrived, 1, ar) == 1)
		store(&sense, 1, FREE);
	else
		while (!load(&sense, acq))
			SPIN();
	CHECK(part[0] + part[1] == 2);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, worker, (void *)0L);
	pthread_create(&t[1], NULL, worker, (void *)1L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
