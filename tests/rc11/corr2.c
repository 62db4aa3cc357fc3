/* corr2: all agree on the modification order */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int r2_a, r2_b, r3_a, r3_b;

static void *thread0(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	return unused;
}

static void *thread1(void *unused)
{
	atomic_store_explicit(&x, 2, memory_order_relaxed);
	return unused;
}

static void *thread2(void *unused)
{
	int a = 0, b = 0;

	a = atomic_load_explicit(&x, memory_order_relaxed);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	r2_a = a;
	r2_b = b;
	return unused;
}

static void *thread3(void *unused)
{
	int a = 0, b = 0;

	a = atomic_load_explicit(&x, memory_order_relaxed);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	r3_a = a;
	r3_b = b;
	return unused;
}

int main(void)
{
	pthread_t t0, t1, t2, t3;

	pthread_create(&t0, 0, thread0, 0);
	pthread_create(&t1, 0, thread1, 0);
	pthread_create(&t2, 0, thread2, 0);
	pthread_create(&t3, 0, thread3, 0);
	pthread_join(t0, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	pthread_join(t3, 0);
	assert(!(r2_a == 1 && r2_b == 2 && r3_a == 2 && r3_b == 1));
	return 0;
}
