/* Uv_async_send from another thread.
 * build: gcc -g -O1 -pthread -o uv_async uv_async.c -luv
 */
#include "two.h"
#include <uv.h>
static int got;
static uv_async_t as;
static void cb(uv_async_t *a)
{
	got = 1;
	uv_close((uv_handle_t *)a, 0);
}

static void th(void *a)
{
	uv_async_send(&as);
}

int main()
{
	uv_async_init(uv_default_loop(), &as, cb);
	uv_thread_t t;
	uv_thread_create(&t, th, 0);
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
	uv_thread_join(&t);
	assert(got);
	uv_loop_close(uv_default_loop());
}
