/*
 * Where a block lies that is allocated after a thread was made does not depend on how the execution is watched: else what
 * was found with one thread's block as shared memory would not be found again in a replay.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic current;

static void *reader(void *unused)
{
	int *p = current;

	assert(*p != 2);
	return unused;
}

int main(void)
{
	int *first = malloc(sizeof(*first)), *second;
	pthread_t t;

	*first = 1;
	current = first;
	pthread_create(&t, NULL, reader, NULL);
	second = malloc(sizeof(*second));
	*second = 2;
	current = second;
	pthread_join(t, NULL);
	free(first);
	free(second);
	return 0;
}
