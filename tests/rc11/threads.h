/* Threads of a test program. */
#ifndef TESTS_RC11_THREADS_H
#define TESTS_RC11_THREADS_H

#include <pthread.h>
#include <stddef.h>

typedef void *thread_function(void *);

/* Runs each function in a thread of its own, with its number as argument, until all have ended. */
#define RUN(...) run_threads((thread_function *const[]){ __VA_ARGS__, NULL })

static inline void run_threads(thread_function *const functions[])
{
	pthread_t threads[4];
	size_t n;

	for (n = 0; functions[n]; n++)
		pthread_create(&threads[n], NULL, functions[n], (void *)n);
	for (size_t i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
}

#endif
