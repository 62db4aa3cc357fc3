/* fence_rounds: in each round a thread stores, makes a fence and loads; of the last stores, one is seen */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef WEAK
#define ORDER memory_order_acq_rel
#else
#define ORDER memory_order_seq_cst
#endif

#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int x, y;
static int seen_x, seen_y;

static void *thread0(void *unused)
{
	for (int i = 1; i <= ROUNDS; i++) {
		atomic_store_explicit(&x, i, memory_order_relaxed);
		atomic_thread_fence(ORDER);
		seen_y = atomic_load_explicit(&y, memory_order_relaxed);
	}
	return unused;
}

static void *thread1(void *unused)
{
	for (int i = 1; i <= ROUNDS; i++) {
		atomic_store_explicit(&y, i, memory_order_relaxed);
		atomic_thread_fence(ORDER);
		seen_x = atomic_load_explicit(&x, memory_order_relaxed);
	}
	return unused;
}

int main(void)
{
	pthread_t t0, t1;

	pthread_create(&t0, 0, thread0, 0);
	pthread_create(&t1, 0, thread1, 0);
	pthread_join(t0, 0);
	pthread_join(t1, 0);
	assert(seen_x == ROUNDS || seen_y == ROUNDS);
	return 0;
}
