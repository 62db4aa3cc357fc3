/* Evbuffer with locking, two threads.
 * build: gcc -g -O1 -pthread -o event_bev event_bev.c -levent -levent_pthreads
 */
#include "two.h"
#include <event2/event.h>
#include <event2/buffer.h>
#include <event2/thread.h>
static struct evbuffer *b;
static void *f(void *a)
{
	evbuffer_add(b, "xy", 2);
	return 0;
}

int main()
{
	evthread_use_pthreads();
	b = evbuffer_new();
	evbuffer_enable_locking(b, 0);
	TWO(f);
	assert(evbuffer_get_length(b) == 4);
	evbuffer_free(b);
}
