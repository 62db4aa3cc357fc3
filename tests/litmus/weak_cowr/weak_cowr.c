/*
 * A thread that finds another's store where it has stored itself has its own in memory, before that one. 3 traces: its store first, and the load finds
 * either; or second, and the load finds its own.
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
