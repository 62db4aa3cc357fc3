/* Tevent_thread_proxy_schedule from another thread.
 * build: gcc -g -O1 -pthread -o tevent tevent.c -ltevent -ltalloc
 */
#include "two.h"
#include <talloc.h>
#include <tevent.h>
static int got;
static struct tevent_thread_proxy *tp;
static void im(struct tevent_context *e, struct tevent_immediate *i, void *p)
{
	got++;
}

static void *f(void *a)
{
	struct tevent_immediate *i = tevent_create_immediate(0);
	int *d = talloc_zero(0, int);
	tevent_thread_proxy_schedule(tp, &i, im, &d);
	return 0;
}

int main()
{
	struct tevent_context *e = tevent_context_init(0);
	tp = tevent_thread_proxy_create(e);
	pthread_t t;
	pthread_create(&t, 0, f, 0);
	while (!got)
		tevent_loop_once(e);
	pthread_join(t, 0);
	talloc_free(tp);
	talloc_free(e);
}
