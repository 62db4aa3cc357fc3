/*
 * The litmus test S. q finds p's second store or not; its own store comes before or after p's first in memory: 4. That q finds the
 * second and its store still comes before the first is possible under PSO only.
 */
#include "../weak.h"

static atomic_int x, y;
static int a;

T(p)
{
	ST(x, 2);
	ST(y, 1);
	return NULL;
}

T(q)
{
	a = LD(y);
	ST(x, 1);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 1 && x == 2;
}
