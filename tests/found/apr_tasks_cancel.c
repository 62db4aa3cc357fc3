/* apr_thread_pool_tasks_cancel of APR-util 1.6.3, reduced: it waits until the tasks of an owner have ended. All callers
 * wait at one condition variable, and a thread that ends a task signals one of them. That may be one that waits
 * for another task. docs/found.md has more.
 * build: gcc -g -O1 -pthread
 * check: bug kind=deadlock replays=3 says=woke_another_thread : --
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work_done = PTHREAD_COND_INITIALIZER;
static bool busy[2] = {true, true}, signal_work_done[2];

static void *run(void *argument)
{
	int task = (int)(intptr_t)argument;

	pthread_mutex_lock(&lock);
	busy[task] = false;
	if (signal_work_done[task])
		pthread_cond_signal(&work_done);
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void *cancel(void *argument)
{
	int task = (int)(intptr_t)argument;

	pthread_mutex_lock(&lock);
	while (busy[task]) {
		signal_work_done[task] = true;
		pthread_cond_wait(&work_done, &lock);
	}
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t threads[3];

	pthread_create(&threads[0], NULL, run, (void *)0);
	pthread_create(&threads[1], NULL, run, (void *)1);
	pthread_create(&threads[2], NULL, cancel, (void *)0);
	cancel((void *)1);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
