/*
 * A ticket lock, three threads: the order in which they draw tickets decides everything, 3!. The read in which a thread finds its own
 * number comes after the store of that number and before the next store, so it has only one place.
 */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int next, serving;
static int counter;

T(p)
{
	int me = atomic_fetch_add(&next, 1);
	while (atomic_load_explicit(&serving, memory_order_acquire) != me)
		;
	counter++;
	atomic_store_explicit(&serving, me + 1, memory_order_release);
	return NULL;
}

int main(void)
{
	RUN(p, p, p);
	return counter != 3;
}
