/*
 * Two stores, a release fence, and the flag; the reader loads the flag, then the second and the first.
 *
 * SC and TSO: the stores are seen in order, 000, 001, 011, 111: 4 traces. With the fence PSO has also 010: the two stores may change places,
 * but the flag stays behind both: 5. Machine code has no instruction for this fence: all 8.
 */
#include "../weak.h"

static atomic_int first, second, flag;
static int a, b, c;

T(p)
{
	ST(first, 1);
	ST(second, 1);
	atomic_thread_fence(memory_order_release);
	ST(flag, 1);
	return NULL;
}

T(q)
{
	a = LD(flag);
	b = LD(second);
	c = LD(first);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 1 && (b == 0 || c == 0);
}
