/* A release keeps behind it what was stored before, and nothing of what is stored later: weak_mp with the first store a release has 4 traces. */
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
