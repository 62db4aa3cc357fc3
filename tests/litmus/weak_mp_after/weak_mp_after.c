/* A release orders earlier stores before itself, but does not order later ones: weak_mp whose first store is a release has 4 traces. */
#include "../weak.h"

static atomic_int data, flag;
static int a, b;

T(p)
{
	atomic_store_explicit(&data, 1, memory_order_release);
	ST(flag, 1);
	return NULL;
}

T(q)
{
	a = LD(flag);
	b = LD(data);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 1 && b == 0;
}
