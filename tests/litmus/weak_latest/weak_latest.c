/*
 * A load finds the latest store in its thread's buffer, not an earlier one, and the other thread sees the stores in their order. Its load finds 0, 1
 * or 2; p's last load finds its store of y or not: 6 traces under all models. (All 6 are SC: neither thread reads what the other stored first.)
 */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	ST(x, 2);
	a = LD(x);
	b = LD(y);
	return NULL;
}

T(q)
{
	(void)LD(x);
	ST(y, 1);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a != 2;
}
