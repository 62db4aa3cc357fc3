/*
 * printing FILE ROUNDS: while two threads exist one prints ROUNDS lines to a buffer and to /dev/null. Writes nanoseconds a line to FILE. Both lock a
 * mutex at the end, so there are two traces.
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "raw.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t go;

static void *waiter(void *arg)
{
	sem_wait(&go);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(int argc, char **argv)
{
	int rounds = atoi(argv[2]);
	FILE *out = fopen("/dev/null", "w");
	char line[100];
	pthread_t t;
	int64_t start, ns;

	raw_init();
	sem_init(&go, 0, 0);
	if (!out || pthread_create(&t, NULL, waiter, NULL) != 0)
		return 1;
	start = raw_now();
	for (int i = 0; i < rounds; i++) {
		snprintf(line, sizeof(line), "item %d of %d: %x in %s\n", i, rounds, i, "the list");
		fprintf(out, "item %d of %d: %x in %s\n", i, rounds, i, "the list");
	}
	ns = raw_now() - start;
	sem_post(&go);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	report(argv[1], (double)ns / (2.0 * rounds));
	return 0;
}
