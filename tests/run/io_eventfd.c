/* An eventfd made before the threads: an execution must not find what another one left in it. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int ready, items;

static void *adder(void *arg)
{
	assert(eventfd_write(items, 1) == 0);
	uint64_t one = 1;
	assert(write(ready, &one, sizeof one) == sizeof one);
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	uint64_t sum = 0;
	eventfd_t v;

	ready = eventfd(0, 0);
	items = eventfd(1, EFD_SEMAPHORE); /* it begins with one */
	assert(ready >= 0 && items >= 0);
	for (int i = 0; i < 2; i++)
		assert(pthread_create(&t[i], NULL, adder, NULL) == 0);
	while (sum < 2) {
		assert(read(ready, &v, sizeof v) == sizeof v);
		sum += v;
	}
	assert(sum == 2);
	for (int i = 0; i < 3; i++)
		assert(eventfd_read(items, &v) == 0 && v == 1);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0; /* `items` is empty, so a fourth reader would wait for ever */
}
