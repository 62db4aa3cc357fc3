/*
 * p waits for b, which q sets only if it sees a. 2 traces: q reads a after p has set it, and both threads end; or before,
 * and then p's loop never ends: a livelock.
 */
#include <stdatomic.h>

#include "../litmus.h"

static atomic_int a, b;

T(p)
{
	atomic_store(&a, 1);
	while (!atomic_load(&b))
		;
	return NULL;
}

T(q)
{
	if (atomic_load(&a))
		atomic_store(&b, 1);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
