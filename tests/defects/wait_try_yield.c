/* Threads that try a lock and yield until they get it. Each number of turns was another trace, and the search had no end.
 * build: gcc -g -O0 -pthread
 * build: gcc -g -O2 -pthread
 * check: incomplete : --executions 20 --max-steps 500 --
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
