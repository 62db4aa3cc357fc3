/*
 * For the programs of bench/bounded.tsv: plain C with pthreads. Each is written from scratch according to publications about the benchmark of this
 * name (SCTBench, SV-COMP, the clients of concurrent data structures in "Reconciling preemption bounding with DPOR", TACAS 2023).
 */
#ifndef BENCH_BOUNDED_H
#define BENCH_BOUNDED_H

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef pthread_mutex_t mutex;
#define lock pthread_mutex_lock
#define unlock pthread_mutex_unlock

/* A thread's function; `me` is its number. */
#define THREAD(name) static void *name(void *arg_)
#define me ((int)(intptr_t)arg_)

#define MOST_THREADS 128
static pthread_t threads_[MOST_THREADS];
static int started_;

__attribute__((unused)) static void start(void *(*f)(void *), int number)
{
	assert(started_ < MOST_THREADS);
	pthread_create(&threads_[started_++], NULL, f, (void *)(intptr_t)number);
}

__attribute__((unused)) static void join_all(void)
{
	for (int i = 0; i < started_; i++)
		pthread_join(threads_[i], NULL);
}

#endif
