/* Forty stores to one variable wait in one queue, in order: a load of another thread finds one of 41 values. */
#include "../weak.h"

static atomic_int x;
static int a;

T(p)
{
	for (int i = 1; i <= 40; i++)
		ST(x, i);
	return NULL;
}

T(q)
{
	a = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a < 0 || a > 40 || x != 40;
}
