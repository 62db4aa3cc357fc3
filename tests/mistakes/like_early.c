/*
 * The value is written before its flag, as it must be. The reader loses it: it takes the value and clears it in two
 * steps.
 * kind: atomicity
 * never: before it
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int value, ready;
static int taken;

static void *produce(void *unused)
{
	for (int i = 0; i < 2; i++) {
		atomic_fetch_add(&value, 1);
		atomic_store(&ready, 1);
	}
	return unused;
}

int main(void)
{
	pthread_t producer;

	pthread_create(&producer, NULL, produce, NULL);
	if (atomic_load(&ready)) {
		taken = atomic_load(&value);
		atomic_store(&value, 0);
	}
	pthread_join(producer, NULL);
	assert(taken + value == 2);
	return 0;
}
