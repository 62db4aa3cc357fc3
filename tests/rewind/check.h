/* What the programs here share: two threads that take turns in every order, and checks that hold in the first execution of a
   process and so must hold in every other. */
#ifndef REWIND_CHECK_H
#define REWIND_CHECK_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CHECK(x) ((x) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x), _exit(3)))

static pthread_mutex_t check_lock = PTHREAD_MUTEX_INITIALIZER;

/* So many critical sections make an order each. */
static inline void take_turns(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&check_lock);
		pthread_mutex_unlock(&check_lock);
	}
}

/* Two threads that run f, and take turns before it. */
static inline void run_two(void *(*f)(void *))
{
	pthread_t t[2];

	for (long i = 0; i < 2; i++)
		CHECK(pthread_create(&t[i], NULL, f, (void *)i) == 0);
	for (int i = 0; i < 2; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
}

#endif
