/*
 * Two lock-free queues. The queue of Michael and Scott; with -DDGLM that of Doherty, Groves, Luchangco and Moir, whose dequeuer
 * reads the tail only after it has moved the head. One thread enqueues ITEMS elements, TAKERS others dequeue; each sees them in order.
 * -DBUG: the head is moved with a plain store instead of a compare-and-swap.
 */
#include "bounded.h"

struct element {
	struct element *_Atomic next;
	int value;
};

static struct element elements[PUTTERS * ITEMS + 1];
static struct element *_Atomic head = &elements[PUTTERS * ITEMS], *_Atomic tail = &elements[PUTTERS * ITEMS];
static atomic_int taken[PUTTERS * ITEMS];

static void put(struct element *e)
{
	for (;;) {
		struct element *last = tail, *next = last->next;
		if (last != tail)
			continue;
		if (next) {
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
		if (atomic_compare_exchange_strong(&last->next, &next, e)) {
			atomic_compare_exchange_strong(&tail, &last, e);
			return;
		}
	}
}

static bool move_head(struct element *first, struct element *next)
{
#ifdef BUG
	(void)first;
	head = next;
	return true;
#else
	return atomic_compare_exchange_strong(&head, &first, next);
#endif
}

static int take(void)
{
	for (;;) {
		struct element *first = head;
#ifdef DGLM
		struct element *next = first->next;
		if (first != head)
			continue;
		if (!next)
			return -1;
		if (move_head(first, next)) {
			struct element *last = tail;
			if (first == last)
				atomic_compare_exchange_strong(&tail, &last, next);
			return next->value;
		}
#else
		struct element *last = tail, *next = first->next;
		if (first != head)
			continue;
		if (!next)
			return -1;
		if (first == last) {
			atomic_compare_exchange_strong(&tail, &last, next);
			continue;
		}
		if (move_head(first, next))
			return next->value;
#endif
	}
}

THREAD(putter)
{
	for (int k = 0; k < ITEMS; k++) {
		struct element *e = &elements[me * ITEMS + k];
		e->value = me * ITEMS + k;
		put(e);
	}
	return NULL;
}

THREAD(taker)
{
	int latest[PUTTERS];
	for (int k = 0; k < PUTTERS; k++)
		latest[k] = -1;
	for (int k = 0; k < ITEMS; k++) {
		int v = take();
		if (v < 0)
			continue;
		assert(taken[v]++ == 0);
		assert(v % ITEMS > latest[v / ITEMS]);
		latest[v / ITEMS] = v % ITEMS;
	}
	return NULL;
}

int main(void)
{
	for (int i = 0; i < PUTTERS; i++)
		start(putter, i);
	for (int i = 0; i < TAKERS; i++)
		start(taker, i);
	join_all();
	return 0;
}
