/*
 * Like weak_spin_own, but the other thread does not wait. If its store comes first, the loop never ends: 2 traces, one of them a livelock.
 */
#include "../weak.h"

static atomic_int x;

T(p)
{
	ST(x, 1);
	while (LD(x) == 1)
		;
	return NULL;
}

T(q)
{
	ST(x, 2);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
