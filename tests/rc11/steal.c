/* steal: two workers and a shared index, results are collected through a counter
   -DWEAK: counted with relaxed: a data race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

#ifdef WEAK
#define DONE rlx
#else
#define DONE rel
#endif
static atomic_int index, done;
static int result[2];

static void *worker(void *arg)
{
	for (;;) {
		int i = fadd(&index, 1, rlx);

		if (i >= 2)
			return NULL;
		result[i] = i + 1;
		fadd(&done, 1, DONE);
	}
}

static void *collector(void *arg)
{
	if (load(&done, acq) == 2)
		CHECK(result[0] + result[1] == 3);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, worker, (void *)0L);
	pthread_create(&t[1], NULL, worker, (void *)1L);
	pthread_create(&t[2], NULL, collector, (void *)2L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[2], NULL);
	return 0;
}
