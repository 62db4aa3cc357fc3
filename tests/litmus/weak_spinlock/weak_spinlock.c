/*
 * A spin lock that is unlocked by a store. SC and TSO: 2 orders.
 *
 * PSO: the same where the store is known to be a release. In machine code it is a plain mov, and the lock may be free before the counter has
 * reached memory. Then, in either order of the sections, the second thread loads the counter before or after the first one's store. If it
 * loads before, the two stores come in either order: 3 traces each.
 */
#include "../weak.h"

static atomic_int lock;
static volatile int counter;

T(p)
{
	while (atomic_exchange_explicit(&lock, 1, memory_order_acquire))
		;
	counter++;
	atomic_store_explicit(&lock, 0, memory_order_release);
	return NULL;
}

int main(void)
{
	RUN(p, p);
	return counter != 2;
}
