/* Event_active from another thread.
 * build: gcc -g -O1 -pthread -o event_active event_active.c -levent -levent_pthreads
 */
#include "two.h"
#include <event2/event.h>
#include <event2/thread.h>
static struct event_base *b;
static struct event *e;
static int got;
static void cb(evutil_socket_t s, short w, void *a)
{
	got++;
	event_base_loopbreak(b);
}

static void *th(void *a)
{
	event_active(e, EV_READ, 0);
	return 0;
}

int main()
{
	evthread_use_pthreads();
	b = event_base_new();
	e = event_new(b, -1, EV_PERSIST, cb, 0);
	event_add(e, 0);
	pthread_t t;
	pthread_create(&t, 0, th, 0);
	event_base_loop(b, EVLOOP_NO_EXIT_ON_EMPTY);
	pthread_join(t, 0);
	assert(got == 1);
	event_free(e);
	event_base_free(b);
}
