/* weak_sb with a fence in one of the threads only. The other one's store may still wait: 4 as without. */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	FENCE();
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
