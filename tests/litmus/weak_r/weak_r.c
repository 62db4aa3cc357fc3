/*
 * The litmus test R. q's store of y comes before or after p's, and q finds p's store of x or not: 4. One of the 4, where q's store is later than p's
 * second store and q does not find p's first, needs q's store in the buffer while q loads.
 */
#include "../weak.h"

static atomic_int x, y;
static int a;

T(p)
{
	ST(x, 1);
	ST(y, 1);
	return NULL;
}

T(q)
{
	ST(y, 2);
	a = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && y == 2;
}
