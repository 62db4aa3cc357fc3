/* counted THREADS ROUNDS: each thread adds to a counter under a lock that often. */
#include "tests/locks/own_lock.h"

#include <assert.h>
#include <stdlib.h>

static own_lock lock = OWN_LOCK;
static int rounds, counter;

static void *run(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		take(&lock);
		counter++;
		give(&lock);
	}
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[8];
	int n = argc > 2 ? atoi(argv[1]) : 0;

	assert(n >= 1 && n <= 8);
	rounds = atoi(argv[2]);
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	assert(counter == n * rounds);
}
