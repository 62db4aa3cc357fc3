/* weak_sb with release stores and acquire loads, which is not enough: 4. */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	atomic_store_explicit(&x, 1, memory_order_release);
	a = atomic_load_explicit(&y, memory_order_acquire);
	return NULL;
}

T(q)
{
	atomic_store_explicit(&y, 1, memory_order_release);
	b = atomic_load_explicit(&x, memory_order_acquire);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
