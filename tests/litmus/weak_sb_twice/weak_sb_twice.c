/*
 * weak_sb, p stores twice to the same variable. q's load finds 0, 1 or 2, and p's load finds 0 or 1: 6. Under SC p finds 1 when q
 * finds 0, and also when it finds 1: q loaded before p did, and had stored before that: 4.
 */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	ST(x, 2);
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
	return a == 0 && b == 1;
}
