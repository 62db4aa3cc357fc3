/*
 * Each thread stores to both variables, in opposite orders. Two orders of the stores of each variable: 4 traces. In one of them both first
 * stores are last. This needs a thread whose second store overtakes its first: PSO only.
 */
#include "../weak.h"

static atomic_int x, y;

T(p)
{
	ST(x, 1);
	ST(y, 2);
	return NULL;
}

T(q)
{
	ST(y, 1);
	ST(x, 2);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return x == 1 && y == 1;
}
