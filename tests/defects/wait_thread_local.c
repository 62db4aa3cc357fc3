/* A thread counts in a thread-local variable how often it has tried a lock. After three tries it gives up, which is the bug. The count is neither on
 * the stack nor in a register, and simul does not see accesses of it. A search that leaves out iterations that come back to the same state
 * (docs/rounds.md) once lost the bug.
 * With STORAGE=auto the count is on the stack or in a register.
 * build: gcc -g -O1 -pthread
 * build: gcc -g -O0 -pthread -DSTORAGE=auto
 * build: gcc -g -O1 -pthread -DSTORAGE=auto
 * check: bug kind=assert : --jobs 1 --strategy optimal --
 * check: bug kind=assert : --
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

#ifndef STORAGE
#define STORAGE static __thread
#endif

static void *worker(void *arg)
{
	STORAGE int tries = 0;

	while (pthread_mutex_trylock(&m)) {
		assert(++tries < 3);
		sched_yield();
	}
	pthread_mutex_unlock(&m);
	return arg;
}

int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
