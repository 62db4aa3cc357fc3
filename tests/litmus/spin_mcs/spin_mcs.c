/*
 * An MCS lock, two threads, nodes on their stacks. 2 orders in which they exchange the tail. In each, the first one's release
 * finds one of three things, while the second one queues up:
 *  - no successor, and the tail is still its own node: the second one's exchange comes after the release;
 *  - no successor, but another tail: it waits until the second one has linked its node;
 *  - its successor, linked before it looked.
 * The second one's wait ends with the store that frees it, and its own release finds no successor and its own node. 2 * 3 = 6.
 */
#include <stdatomic.h>

#include "../litmus.h"

struct node {
	_Atomic(struct node *) next;
	atomic_int locked;
};

static _Atomic(struct node *) tail;
static int counter;

static void lock(struct node *me)
{
	atomic_store(&me->next, NULL);
	atomic_store(&me->locked, 1);
	struct node *before = atomic_exchange(&tail, me);
	if (!before)
		return;
	atomic_store(&before->next, me);
	while (atomic_load(&me->locked))
		;
}

static void unlock(struct node *me)
{
	struct node *after = atomic_load(&me->next), *last = me;
	if (!after) {
		if (atomic_compare_exchange_strong(&tail, &last, NULL))
			return;
		while (!(after = atomic_load(&me->next)))
			;
	}
	atomic_store(&after->locked, 0);
}

T(p)
{
	struct node me;
	lock(&me);
	counter++;
	unlock(&me);
	return NULL;
}

int main(void)
{
	RUN(p, p);
	return counter != 2;
}
