/*
 * A test-and-set lock, three threads. Only the order in which they get it counts, as with a mutex: 3! orders. An exchange that finds the lock
 * taken writes the value that was there, so a further iteration changes nothing and is no part of any trace.
 */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int lock;
static int counter;

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
	RUN(p, p, p);
	return counter != 3;
}
