/* Two threads increment without a lock: one increment can get lost, and the two accesses race. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void increment(void)
{
	counter++; /* the race */
}

static void *work(void *arg)
{
	increment();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, work, 0);
	increment();
	pthread_join(t, 0);
	assert(counter == 2);
	return 0;
}
