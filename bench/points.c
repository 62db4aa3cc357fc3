/*
 * points FILE ROUNDS: one thread waits for a semaphore while main locks and unlocks a mutex ROUNDS times: 2 * ROUNDS scheduling
 * points without a switch. Writes nanoseconds a point to FILE. At the end both lock the mutex once more, so there are two
 * traces: the second execution repeats the scheduling points of the first.
 */
#include <pthread.h>
#include <semaphore.h>

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
	pthread_t t;
	int64_t start, ns;

	raw_init();
	sem_init(&go, 0, 0);
	if (pthread_create(&t, NULL, waiter, NULL) != 0)
		return 1;
	sched_yield(); /* let it start to wait */
	for (int i = 0; i < 10; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	start = raw_now();
	for (int i = 0; i < rounds; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	ns = raw_now() - start;
	sem_post(&go);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	report(argv[1], (double)ns / (2.0 * rounds));
	return 0;
}
