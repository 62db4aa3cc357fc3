/* A thread waits for a flag that nobody sets: no graph is complete, and none may be called so. */
#include <pthread.h>

#include "tests/rc11/orders.h"

static atomic_int flag;

static void *poller(void *unused)
{
	while (!load(&flag, acq))
		;
	return unused;
}

static void *setter(void *unused)
{
	store(&flag, 0, rel);
	return unused;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, poller, NULL);
	pthread_create(&t[1], NULL, setter, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
