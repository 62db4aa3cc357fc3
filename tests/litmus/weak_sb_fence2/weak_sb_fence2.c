/* weak_sb with a fence in both threads: as under SC. (gcc makes it a locked instruction on the stack.) */
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
	FENCE();
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
