/* A message and a flag that says it is there: a thread that sees the flag also sees the message, unless stores may be reordered. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, ready;

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static void *producer(void *arg)
{
	atomic_store_explicit(&data, 42, memory_order_relaxed);
	atomic_store_explicit(&ready, 1, ORDER);
	return arg;
}

static void *consumer(void *arg)
{
	if (atomic_load_explicit(&ready, memory_order_acquire))
		assert(atomic_load_explicit(&data, memory_order_relaxed) == 42);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], 0, producer, 0);
	pthread_create(&t[1], 0, consumer, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	return 0;
}
