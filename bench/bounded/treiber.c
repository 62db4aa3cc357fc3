/*
 * Treiber's stack. PUSHERS threads push PER elements each, POPPERS pop as many. -DBUG: an element is pushed with a plain store instead of
 * a compare-and-swap, so that other threads' elements may get lost.
 */
#include "bounded.h"

#ifndef PER
#define PER 1
#endif

struct element {
	struct element *_Atomic next;
	atomic_int taken;
};

static struct element elements[PUSHERS * PER];
static struct element *_Atomic top;

static void push(struct element *e)
{
	struct element *old = top;
	do
		e->next = old;
#ifdef BUG
	while (atomic_store(&top, e), false);
#else
	while (!atomic_compare_exchange_strong(&top, &old, e));
#endif
}

static struct element *pop(void)
{
	struct element *e = top;
	while (e && !atomic_compare_exchange_strong(&top, &e, e->next))
		;
	return e;
}

THREAD(pusher)
{
	for (int k = 0; k < PER; k++)
		push(&elements[me * PER + k]);
	return NULL;
}

THREAD(popper)
{
	for (int k = 0; k < PER; k++) {
		struct element *e = pop();
		if (e)
			assert(e->taken++ == 0);
	}
	return NULL;
}

int main(void)
{
	for (int i = 0; i < PUSHERS; i++)
		start(pusher, i);
	for (int i = 0; i < POPPERS; i++)
		start(popper, i);
	join_all();
	for (struct element *e; (e = pop());)
		e->taken++;
	for (int i = 0; i < PUSHERS * PER; i++)
		assert(elements[i].taken == 1);
	return 0;
}
