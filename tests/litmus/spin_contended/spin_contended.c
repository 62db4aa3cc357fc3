/*
 * A lock that returns whether the thread had to wait, so a failed attempt is visible. 2 orders. In each, the second thread either tried while
 * the first held the lock, or came later. 4 traces.
 */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int lock;
static int waits[2];

static void enter(int *waited)
{
	int w = 0;
	while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
		w = 1;
	*waited = w;
	atomic_store_explicit(&lock, 0, memory_order_release);
}

T(p)
{
	enter(&waits[0]);
	return NULL;
}

T(q)
{
	enter(&waits[1]);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
