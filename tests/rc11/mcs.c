/* mcs: MCS lock
   -DWEAK: handed over with relaxed: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define HAND rlx
#else
#define HAND rel
#endif
struct node { _Atomic(struct node *) next; atomic_int wait; };
static struct node nodes[2];
static _Atomic(struct node *) tail;
static int shared;

static void *worker(void *arg)
{
	struct node *n = &nodes[(long)arg], *before, *next;

	store(&n->next, NULL, rlx);
	store(&n->wait, 1, rlx);
	before = atomic_exchange_explicit(&tail, n, ar);
	if (before) {
		store(&before->next, n, rel);
		while (load(&n->wait, acq))
			SPIN();
	}
	shared++;
	next = load(&n->next, acq);
	if (!next) {
		struct node *self = n;

		if (cas(&tail, &self, NULL, rel, rlx))
			return NULL;
		while (!(next = load(&n->next, acq)))
			SPIN();
	}
	store(&next->wait, 0, HAND);
	return NULL;
}

int main(void)
{
	RUN(worker, worker);
	CHECK(shared == 2);
	return 0;
}
