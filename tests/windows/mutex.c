/* Two threads and two mutexes, ROUNDS rounds each. With WRONG, one round in 1000 takes them in opposite orders. With
 * FAILS, each execution fails at its end. */
#include <pthread.h>

#ifndef ROUNDS
#define ROUNDS 4000
#endif

static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static long n;

static void *worker(void *arg)
{
	long me __attribute__((unused)) = (long)arg;
	for (int i = 0; i < ROUNDS; i++) {
		int first = 0;
#ifdef WRONG
		first = i % 1000 == 500 ? (int)me : 0;
#endif
		pthread_mutex_lock(&m[first]);
		pthread_mutex_lock(&m[1 - first]);
		n++;
		pthread_mutex_unlock(&m[1 - first]);
		pthread_mutex_unlock(&m[first]);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];
	for (long i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, (void *)i);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
#ifdef FAILS
	return 1;
#endif
	return n != 2 * ROUNDS;
}
