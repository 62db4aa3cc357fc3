/* Uv_queue_work, two threads in the pool.
 * build: gcc -g -O1 -pthread -o uv_work uv_work.c -luv
 */
#include "two.h"
#include <uv.h>
static int n, done;
static uv_mutex_t m;
static void wk(uv_work_t *w)
{
	uv_mutex_lock(&m);
	n++;
	uv_mutex_unlock(&m);
}

static void af(uv_work_t *w, int s)
{
	done++;
}

int main()
{
	setenv("UV_THREADPOOL_SIZE", "2", 1);
	uv_mutex_init(&m);
	uv_work_t a, b;
	uv_queue_work(uv_default_loop(), &a, wk, af);
	uv_queue_work(uv_default_loop(), &b, wk, af);
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	assert(n == 2 && done == 2);
	uv_loop_close(uv_default_loop());
}
