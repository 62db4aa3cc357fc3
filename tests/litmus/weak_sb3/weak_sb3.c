/*
 * weak_sb in a ring of three threads. Each load finds 0 or 1: 8 traces; under SC not 0 three times.
 */
#include "../weak.h"

static atomic_int x, y, z;
static int a, b, c;

T(p)
{
	ST(x, 1);
	a = LD(y);
	return NULL;
}

T(q)
{
	ST(y, 1);
	b = LD(z);
	return NULL;
}

T(r)
{
	ST(z, 1);
	c = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q, r);
	return a == 0 && b == 0 && c == 0;
}
