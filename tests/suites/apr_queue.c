/* A condition variable and two threads.
 * build: gcc -g -O1 -pthread -o apr_queue apr_queue.c $(pkg-config --cflags --libs apr-1)
 */
#include "two.h"
#include <apr_general.h>
#include <apr_thread_proc.h>
#include <apr_thread_mutex.h>
#include <apr_thread_cond.h>
static apr_thread_mutex_t *m;
static apr_thread_cond_t *c;
static int ready;
static void *APR_THREAD_FUNC f(apr_thread_t *t, void *a)
{
	apr_thread_mutex_lock(m);
	ready++;
	apr_thread_cond_signal(c);
	apr_thread_mutex_unlock(m);
	apr_thread_exit(t, 0);
	return 0;
}

int main()
{
	apr_initialize();
	apr_pool_t *p;
	apr_pool_create(&p, 0);
	apr_thread_mutex_create(&m, 0, p);
	apr_thread_cond_create(&c, p);
	apr_thread_t *t[2];
	for (int i = 0; i < 2; i++)
		apr_thread_create(&t[i], 0, f, 0, p);
	apr_thread_mutex_lock(m);
	while (ready < 2)
		apr_thread_cond_wait(c, m);
	apr_thread_mutex_unlock(m);
	apr_status_t r;
	for (int i = 0; i < 2; i++)
		apr_thread_join(&r, t[i]);
	apr_terminate();
}
