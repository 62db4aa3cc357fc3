/*
 * A lock whose word names its owner, taken by compare-and-swap after a read found it free. Three threads: 3! orders. When a thread fails
 * to take it, its next attempt overwrites the owner that it read (one of two others).
 */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_long lock;
static int counter;

static void *enter(long me)
{
	for (;;) {
		long nobody = 0;
		while (atomic_load_explicit(&lock, memory_order_relaxed))
			;
		if (atomic_compare_exchange_strong(&lock, &nobody, me))
			break;
	}
	counter++;
	atomic_store_explicit(&lock, 0, memory_order_release);
	return NULL;
}

T(p)
{
	return enter(1);
}

T(q)
{
	return enter(2);
}

T(r)
{
	return enter(3);
}

int main(void)
{
	RUN(p, q, r);
	return counter != 3;
}
