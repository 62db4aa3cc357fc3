/* weak_sb with sequentially consistent stores, which is the default in C. (Machine code has xchg for it.) */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	x = 1;
	a = y;
	return NULL;
}

T(q)
{
	y = 1;
	b = x;
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
