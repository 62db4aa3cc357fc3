/* cas_fail_acq: a CAS that fails with acquire: forbidden */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1_a, r1_b;

static void *thread0(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_store_explicit(&y, 1, memory_order_release);
	return unused;
}

static void *thread1(void *unused)
{
	int a = 0, b = 0;

	{
		int found = 5;

		atomic_compare_exchange_strong_explicit(&y, &found, 6, memory_order_acquire, memory_order_acquire);
		a = found;
	}
	b = atomic_load_explicit(&x, memory_order_relaxed);
	r1_a = a;
	r1_b = b;
	return unused;
}

int main(void)
{
	pthread_t t0, t1;

	pthread_create(&t0, 0, thread0, 0);
	pthread_create(&t1, 0, thread1, 0);
	pthread_join(t0, 0);
	pthread_join(t1, 0);
	assert(!(r1_a == 1 && r1_b == 0));
	return 0;
}
