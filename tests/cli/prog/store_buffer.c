/* Two threads store one variable and read the other's: with store buffers both may read 0. With an argument there are fences
   between, and they may not. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b, fenced;

static void *one(void *arg)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	if (fenced)
		atomic_thread_fence(memory_order_seq_cst);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	return arg;
}

static void *two(void *arg)
{
	atomic_store_explicit(&y, 1, memory_order_relaxed);
	if (fenced)
		atomic_thread_fence(memory_order_seq_cst);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[2];

	fenced = argc > 1;
	pthread_create(&t[0], 0, one, 0);
	pthread_create(&t[1], 0, two, 0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	assert(a || b);
	return 0;
}
