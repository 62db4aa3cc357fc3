/* treiber: Treiber's stack: two push, one pops; nodes are not used again
   -DWEAK: nodes are pushed with relaxed: a data race on their content */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

#ifdef WEAK
#define PUSH rlx
#else
#define PUSH rel
#endif
struct node { int value; struct node *next; };
static struct node nodes[2];
static _Atomic(struct node *) top;

static void *pusher(void *arg)
{
	struct node *n = &nodes[(long)arg], *old = load(&top, rlx);

	n->value = 7;
	do
		n->next = old;
	while (!cas(&top, &old, n, PUSH, rlx));
	return NULL;
}

static void *popper(void *arg)
{
	struct node *n = load(&top, acq);

	while (n && !cas(&top, &n, n->next, acq, acq))
		;
	if (n)
		CHECK(n->value == 7);
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, pusher, (void *)0L);
	pthread_create(&t[1], NULL, pusher, (void *)1L);
	pthread_create(&t[2], NULL, popper, (void *)2L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[2], NULL);
	return 0;
}
