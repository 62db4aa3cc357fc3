/* Threads share variables on each other's stacks, and blocks on the heap: known by their addresses. */
#include <pthread.h>
#include <stdlib.h>

static void *child(void *arg)
{
	volatile int *parents = arg, *own = malloc(64);

	*parents = *parents + 1;
	own[3] = 1;
	*parents = *parents + own[3];
	return NULL;
}

static void *parent(void *arg)
{
	volatile int local = 0, *mains = arg;
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, child, (void *)&local);
	local++;
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	*mains = *mains + local;
	return NULL;
}

int main(void)
{
	volatile int local = 0;
	pthread_t t;

	pthread_create(&t, NULL, parent, (void *)&local);
	local++;
	pthread_join(t, NULL);
	return 0;
}
