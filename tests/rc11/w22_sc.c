/* w22_sc: 2+2W */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread0(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_seq_cst);
	atomic_store_explicit(&y, 2, memory_order_seq_cst);
	return unused;
}

static void *thread1(void *unused)
{
	atomic_store_explicit(&y, 1, memory_order_seq_cst);
	atomic_store_explicit(&x, 2, memory_order_seq_cst);
	return unused;
}

int main(void)
{
	pthread_t t0, t1;

	pthread_create(&t0, 0, thread0, 0);
	pthread_create(&t1, 0, thread1, 0);
	pthread_join(t0, 0);
	pthread_join(t1, 0);
	assert(!(atomic_load_explicit(&x, memory_order_relaxed) == 1 && atomic_load_explicit(&y, memory_order_relaxed) == 1));
	return 0;
}
