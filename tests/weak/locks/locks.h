/* For programs in which synchronisation orders all accesses. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#define CHECK(call)                                                                                \
	do {                                                                                       \
		if ((call) != 0)                                                                   \
			abort();                                                                   \
	} while (0)

/** Starts n threads, at most 4, each with a pointer to its number, and joins them. */
static inline void run(int n, void *(*body)(void *))
{
	static int number[4] = { 0, 1, 2, 3 };
	pthread_t t[4];

	for (int i = 0; i < n; i++)
		CHECK(pthread_create(&t[i], NULL, body, &number[i]));
	for (int i = 0; i < n; i++)
		CHECK(pthread_join(t[i], NULL));
}
