/* Threads share memory on the stack of another thread, and fail in some orders. */
#include <assert.h>

#include "check.h"

static void *inner(void *arg)
{
	volatile int *counter = arg;
	int found = *counter;

	*counter = found + 1;
	return NULL;
}

static void *outer(void *arg)
{
	volatile int counter = 0;
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		CHECK(pthread_create(&t[i], NULL, inner, (void *)&counter) == 0);
	for (int i = 0; i < 2; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
	assert(counter == 2);
	return NULL;
}

int main(void)
{
	pthread_t t;

	CHECK(pthread_create(&t, NULL, outer, NULL) == 0);
	CHECK(pthread_join(t, NULL) == 0);
	return 0;
}
