/* weak_sb, with exchanges as stores: these do not wait in a buffer. */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	atomic_exchange_explicit(&x, 1, memory_order_relaxed);
	a = LD(y);
	return NULL;
}

T(q)
{
	atomic_exchange_explicit(&y, 1, memory_order_relaxed);
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
