/*
 * n6 of the x86-TSO papers: p reads its own store early.
 *
 * Traces differ in the order of the two stores of x, in which of them p's first load reads, and in whether p reads y set. p's first
 * load finds q's store only when this comes after p's, and then y, under SC and TSO, is 2.
 *   x = 1 first, loads find 2, 2; 1, 2; 1, 0: 3 traces.   x = 2 first: 1, 2: 1 trace.   SC: 4
 *   TSO: also x = 2 first, and 1, 0: p's store waits in the buffer while p loads: 5. This is the outcome of the test.
 *   PSO: also x = 1 first, and 2, 0: q's store of x overtakes that of y: 6.
 */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	a = LD(x);
	b = LD(y);
	return NULL;
}

T(q)
{
	ST(y, 2);
	ST(x, 2);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 1 && b == 0 && x == 1;
}
