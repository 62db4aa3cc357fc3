/* For the small programs of this folder, one of a library each: includes, and two threads with the same function. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs f(1) and f(2) in two threads, and waits for them. */
#define TWO(f)                                                                                                         \
	do {                                                                                                           \
		pthread_t first_, second_;                                                                             \
		pthread_create(&first_, NULL, f, (void *)1);                                                           \
		pthread_create(&second_, NULL, f, (void *)2);                                                          \
		pthread_join(first_, NULL);                                                                            \
		pthread_join(second_, NULL);                                                                           \
	} while (0)
