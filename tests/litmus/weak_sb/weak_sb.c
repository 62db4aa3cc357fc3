/*
 * Store buffering. Each thread stores, and then loads the variable of the other one.
 *
 * The values of the two loads identify a trace. SC: not 0 twice, since the first of the four accesses in memory is a store, whose thread
 * loads later than that: 3. With store buffers both stores may still be in their buffers when the threads load: 4.
 */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	a = LD(y);
	return NULL;
}

T(q)
{
	ST(y, 1);
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
