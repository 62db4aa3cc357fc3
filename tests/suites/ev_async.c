/* Ev_async_send from another thread.
 * build: gcc -g -O1 -pthread -o ev_async ev_async.c -lev
 */
#include "two.h"
#include <ev.h>
static ev_async w;
static int got;
static void cb(EV_P_ ev_async *a, int r)
{
	got = 1;
	ev_async_stop(EV_A_ a);
}

static void *th(void *a)
{
	ev_async_send((struct ev_loop *)a, &w);
	return 0;
}

int main()
{
	struct ev_loop *l = ev_loop_new(EVBACKEND_POLL);
	ev_async_init(&w, cb);
	ev_async_start(l, &w);
	pthread_t t;
	pthread_create(&t, 0, th, l);
	ev_run(l, 0);
	pthread_join(t, 0);
	assert(got);
	ev_loop_destroy(l);
}
