/*
 * A thread stores and then loads the same variable. If the load finds another thread's store, its own store is in memory, before the other one.
 * 3 traces: its store is first, and the load finds either; or it is second, and the load finds its own.
 */
#include "../weak.h"

static atomic_int x;
static int a;

T(p)
{
	ST(x, 1);
	a = LD(x);
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
	return a == 2 && x == 1;
}
