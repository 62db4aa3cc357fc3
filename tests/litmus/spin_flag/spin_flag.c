/*
 * Message passing by a flag: the reader waits in a loop until the flag is set, and then finds the data. One trace, no matter how often it
 * found the flag unset.
 */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int flag;
static int data, seen;

T(p)
{
	data = 42;
	atomic_store_explicit(&flag, 1, memory_order_release);
	return NULL;
}

T(q)
{
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		;
	seen = data;
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return seen != 42;
}
