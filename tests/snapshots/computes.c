/* computes ROUNDS [STEPS]: two threads that compute between their steps, in memory of their own. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t sum;
static int rounds, steps;

static void *thread(void *arg)
{
	volatile uint64_t x = (uintptr_t)arg;
	for (int k = 0; k < steps; k++) {
		for (int i = 0; i < rounds; i++)
			x = x * 6364136223846793005u + 1442695040888963407u;
		pthread_mutex_lock(&mutex);
		sum += x;
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	rounds = argc > 1 ? atoi(argv[1]) : 2000000;
	steps = argc > 2 ? atoi(argv[2]) : 3;
	for (uintptr_t i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, thread, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
