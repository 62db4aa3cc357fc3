/* z6u: Z6.U (PLDI 2017): C11 forbade it, POWER and RC11 allow it */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r1_a, r1_b, r2_a;

static void *thread0(void *unused)
{
	atomic_store_explicit(&x, 1, memory_order_seq_cst);
	atomic_store_explicit(&y, 1, memory_order_release);
	return unused;
}

static void *thread1(void *unused)
{
	int a = 0, b = 0;

	a = atomic_fetch_add_explicit(&y, 1, memory_order_seq_cst);
	b = atomic_load_explicit(&y, memory_order_relaxed);
	r1_a = a;
	r1_b = b;
	return unused;
}

static void *thread2(void *unused)
{
	int a = 0;

	atomic_store_explicit(&y, 3, memory_order_seq_cst);
	a = atomic_load_explicit(&x, memory_order_seq_cst);
	r2_a = a;
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
	assert(!(r1_a == 1 && r1_b == 3 && r2_a == 0));
	return 0;
}
