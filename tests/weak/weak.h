/*
 * For the programs of the table (table1.tsv). Shared variables are relaxed C11 atomics, so that on x86-64 each access is a plain
 * mov. The fences are there in three variants: -DFENCE=0 none, 1 those that TSO needs, 2 those that PSO needs as well.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef FENCE
#define FENCE 0
#endif

typedef atomic_int shared;
#define LD(v) atomic_load_explicit(&(v), memory_order_relaxed)
#define ST(v, x) atomic_store_explicit(&(v), (x), memory_order_relaxed)
#define T(name) static void *name(void *arg)

/** Between a store and a later load of another variable: TSO swaps them. */
static inline void tso_fence(void)
{
	if (FENCE >= 1)
		atomic_thread_fence(memory_order_seq_cst);
}

/** Between two stores to different variables: PSO swaps these too. */
static inline void pso_fence(void)
{
	if (FENCE >= 2)
		atomic_thread_fence(memory_order_seq_cst);
}

/** Runs the two as threads and joins them. */
static inline void run2(void *(*a)(void *), void *(*b)(void *))
{
	pthread_t t, u;

	assert(pthread_create(&t, NULL, a, NULL) == 0);
	assert(pthread_create(&u, NULL, b, NULL) == 0);
	assert(pthread_join(t, NULL) == 0);
	assert(pthread_join(u, NULL) == 0);
}
