/* Threads try a lock and yield until they get it. Each number of tries would be another trace, without end. simul leaves out
 * turns without effect (docs/rounds.md).
 * build: gcc -g -O0 -pthread
 * build: gcc -g -O2 -pthread
 * check: complete traces=6 : --jobs 1 --strategy optimal --
 * check: complete traces=6 : --jobs 1 --strategy source --
 * check: complete : --
 */
#include <pthread.h>
#include <sched.h>

#define THREADS 3

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
	while (pthread_mutex_trylock(&m))
		sched_yield();
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	return 0;
}
