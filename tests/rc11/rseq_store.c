/* rseq_store: a relaxed store of another thread ends the release sequence */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1_a, r2_a, r2_b;

static void *thread0(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_release);
	return unused;
}

static void *thread1(void *unused)
{
	int a = 0;

	a = atomic_load_explicit(&y, memory_order_relaxed);
	if (a==1)
		atomic_store_explicit(&y, 2, memory_order_relaxed);
	r1_a = a;
	return unused;
}

static void *thread2(void *unused)
{
	int a = 0, b = 0;

	a = atomic_load_explicit(&y, memory_order_acquire);
	b = atomic_load_explicit(&x, memory_order_relaxed);
	r2_a = a;
	r2_b = b;
	return unused;
}

int main(void)
{
	pthread_t t0, t1, t2;

	pthread_create(&t0, 0, thread0, 0);
	pthread_create(&t1, 0, thread1, 0);
	pthread_create(&t2, 0, thread2, 0);
	pthread_join(t0, 0);
	pthread_join(t1, 0);
	pthread_join(t2, 0);
	assert(!(r2_a == 2 && r2_b == 0));
	return 0;
}
