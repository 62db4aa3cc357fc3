/*
 * A test-and-test-and-set lock, three threads: 3! orders, as with a mutex. When a thread reads that the lock is free, and
 * whether another one then takes it first, is not visible. (A checker that keeps all those reads has (3!)^2 = 36 traces.)
 */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int lock;
static int counter;

T(p)
{
	do
		while (atomic_load_explicit(&lock, memory_order_relaxed))
			;
	while (atomic_exchange_explicit(&lock, 1, memory_order_acquire));
	counter++;
	atomic_store_explicit(&lock, 0, memory_order_release);
	return NULL;
}

int main(void)
{
	RUN(p, p, p);
	return counter != 3;
}
