/* ticket: ticket lock
   -DWEAK: unlocked with relaxed: a data race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

#ifdef WEAK
#define UNLOCK rlx
#else
#define UNLOCK rel
#endif
static atomic_int next, serving;
static int shared;

static void *worker(void *arg)
{
	int mine = fadd(&next, 1, rlx);

	while (load(&serving, acq) != mine)
		SPIN();
	shared++;
	store(&serving, mine + 1, UNLOCK);
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
	CHECK(shared == 3);
	return 0;
}
