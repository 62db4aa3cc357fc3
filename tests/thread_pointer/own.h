/* Thread-local variables that each thread checks: another thread's value means that the thread pointer is wrong. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 2
#define MOST_THREADS 16

static int threads = THREADS;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared_count;

/* A change of shared_count with the lock: two scheduling points. */
static inline void step(void)
{
	pthread_mutex_lock(&lock);
	shared_count++;
	pthread_mutex_unlock(&lock);
}

/* Runs f in `threads` threads with the arguments 1, 2 and so on. */
static inline void in_threads(void *(*f)(void *))
{
	pthread_t t[MOST_THREADS];
	for (long i = 0; i < threads; i++)
		assert(!pthread_create(&t[i], NULL, f, (void *)(i + 1)));
	for (int i = 0; i < threads; i++)
		assert(!pthread_join(t[i], NULL));
}
