/* One thread writes data, then a flag. A thread that sees the flag reads the data. The orders, and fences, decide whether that is a data
   race. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef STORE_FENCE
#define STORE_FENCE memory_order_relaxed
#define LOAD_FENCE memory_order_relaxed
#endif

static int data;
int got;
static atomic_int flag;

static void *work(void *arg)
{
	data = 1;
	atomic_thread_fence(STORE_FENCE);
	atomic_store_explicit(&flag, 1, STORE_ORDER);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, 0, work, 0);
	if (atomic_load_explicit(&flag, LOAD_ORDER)) {
		atomic_thread_fence(LOAD_FENCE);
		got = data;
	}
	pthread_join(t, 0);
	return 0;
}
