/*
 * The address of a block that is allocated after a thread was created must not depend on how simul watches the execution. Otherwise a
 * replay could not repeat a bug that needs one thread's block as shared memory.
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
