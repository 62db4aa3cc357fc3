/*
 * n5 of the x86-TSO papers: each thread finds the other's store rather than its own. This is impossible: the thread
 * whose store comes second in memory finds its own.
 *
 * Two orders of the stores; the thread whose store is first finds its own or the other's: 4 traces, under all models.
 */
#include "../weak.h"

static atomic_int x;
static int a, b;

T(p)
{
	ST(x, 1);
	a = LD(x);
	return NULL;
}

T(q)
{
	ST(x, 2);
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 2 && b == 1;
}
