/* A counter without a lock. Accesses of plain memory are found to be shared in warm-up executions, and some of these lose an update. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *count(void *arg)
{
	for (int i = 0; i < 2; i++)
		counter++;
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, count, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(counter == 4);
	return 0;
}
