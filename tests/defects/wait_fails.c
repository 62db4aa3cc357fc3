/*
 * Each execution fails after a thread has waited in a loop of tries. The search leaves executions whose waiting thread goes no further; they
 * run on to the failure. That changes neither the number of traces nor the bug, however executions are isolated. With 0 the program crashes,
 * with 1 it exits with a failing status, with 2 an assertion fails in another thread.
 *
 * check: bug kind=crash traces=6 : --jobs 1 --strategy optimal --keep-going -- 0
 * check: bug kind=crash traces=6 : --jobs 1 --strategy optimal --keep-going --isolation fork -- 0
 * check: bug kind=crash traces=6 : --jobs 1 --strategy optimal --keep-going --isolation exec -- 0
 * check: bug kind=exit traces=6 : --jobs 1 --strategy optimal --keep-going -- 1
 * check: bug kind=assert replays=20 : --jobs 1 --strategy optimal --keep-going -- 2
 * check: bug kind=assert : --jobs 1 --strategy optimal --keep-going --isolation fork -- 2
 * check: bug kind=crash : --jobs 2 --keep-going -- 0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n, how;

static void *worker(void *arg)
{
	while (pthread_mutex_trylock(&m))
		sched_yield();
	n++;
	assert(how != 2 || n < 3);
	pthread_mutex_unlock(&m);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	how = argc > 1 ? atoi(argv[1]) : 0;
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	if (how == 0)
		*(volatile int *)NULL = 0;
	return how == 1;
}
