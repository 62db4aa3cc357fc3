/* Two threads cancel the tasks of one owner each, while both tasks run.
 * build: gcc -g -O1 -pthread -o apr_cancel apr_cancel.c $(pkg-config --cflags --libs apr-util-1)
 */
#include "two.h"
#include <apr_general.h>
#include <apr_thread_pool.h>

static apr_thread_pool_t *pool;
static char owners[2];

static void *APR_THREAD_FUNC task(apr_thread_t *thread, void *unused)
{
	(void)thread;
	sched_yield();
	return unused;
}

static void *cancel(void *owner)
{
	apr_thread_pool_tasks_cancel(pool, owner);
	return NULL;
}

int main(void)
{
	apr_pool_t *memory;
	pthread_t other;

	apr_initialize();
	apr_pool_create(&memory, NULL);
	apr_thread_pool_create(&pool, 2, 2, memory);
	for (int i = 0; i < 2; i++)
		apr_thread_pool_push(pool, task, NULL, 0, &owners[i]);
	pthread_create(&other, NULL, cancel, &owners[0]);
	cancel(&owners[1]);
	pthread_join(other, NULL);
	return 0;
}
