/* Threads that lock twice each. An execution takes LOOPS additions for each of 8 sections. */
#include <pthread.h>

#ifndef LOOPS
#define LOOPS 1000000
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused)
{
	for (int r = 0; r < 2; r++) {
		pthread_mutex_lock(&lock);
		for (volatile int i = 0; i < LOOPS; i++)
			;
		pthread_mutex_unlock(&lock);
	}
	return unused;
}

int main(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
