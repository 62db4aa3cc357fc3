/* sb_fence_weak: store buffering with fences that are not seq_cst */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int r0_a, r1_a;

static void *thread0(void *unused)
{
	int a = 0;

	atomic_store_explicit(&x, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_acq_rel);
	a = atomic_load_explicit(&y, memory_order_relaxed);
	r0_a = a;
	return unused;
}

static void *thread1(void *unused)
{
	int a = 0;

	atomic_store_explicit(&y, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_acq_rel);
	a = atomic_load_explicit(&x, memory_order_relaxed);
	r1_a = a;
	return unused;
}

int main(void)
{
	pthread_t t0, t1;

	pthread_create(&t0, 0, thread0, 0);
	pthread_create(&t1, 0, thread1, 0);
	pthread_join(t0, 0);
	pthread_join(t1, 0);
	assert(!(r0_a == 0 && r1_a == 0));
	return 0;
}
