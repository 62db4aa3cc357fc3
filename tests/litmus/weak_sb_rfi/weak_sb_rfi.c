/*
 * weak_sb. Before a thread loads the other's variable it loads its own, and finds its own store, whether that is in memory or not. No other
 * thread stores there, so these loads add no trace: 3, and 4 with buffers.
 */
#include "../weak.h"

static atomic_int x, y;
static int a, b, own_x, own_y;

T(p)
{
	ST(x, 1);
	own_x = LD(x);
	a = LD(y);
	return NULL;
}

T(q)
{
	ST(y, 1);
	own_y = LD(y);
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	if (own_x != 1 || own_y != 1)
		abort();
	return a == 0 && b == 0;
}
