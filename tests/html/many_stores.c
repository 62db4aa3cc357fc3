/* Stores to more places than there is room for lanes of drain agents (PSO), and a bug that only late stores show. */
#include <assert.h>
#include <pthread.h>

static volatile int slot[8], ready;

static void *writer(void *arg)
{
	for (int i = 0; i < 8; i++)
		slot[i] = 1;
	ready = 1;
	return NULL;
}

static void *reader(void *arg)
{
	int sum = 0;

	while (!ready)
		;
	for (int i = 0; i < 8; i++)
		sum += slot[i];
	assert(sum == 8);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, writer, NULL);
	pthread_create(&b, NULL, reader, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
