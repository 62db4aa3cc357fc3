/* A loop that counts in memory while it waits: each iteration changes something. */
#include <pthread.h>

#include "tests/rc11/orders.h"

static atomic_int flag;
static int turns;

static void *poller(void *unused)
{
	while (!load(&flag, acq))
		turns++;
	return unused;
}

static void *setter(void *unused)
{
	store(&flag, 1, rel);
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
