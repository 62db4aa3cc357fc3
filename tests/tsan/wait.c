/* A thread waits for another in a loop. It may iterate any number of times, but only two cases differ. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *work(void *arg)
{
	data = 42;
	atomic_store_explicit(&ready, 1, memory_order_release);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, work, 0);
	while (!atomic_load_explicit(&ready, memory_order_acquire))
		;
	int found = data;
	pthread_join(t, 0);
	return found != 42;
}
