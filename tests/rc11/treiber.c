/* treiber: Treiber's stack: two push, one pops; nodes are not used again
   -DWEAK: nodes are pushed with relaxed: a data race on their content */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

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
	RUN(pusher, pusher, popper);
	return 0;
}
