/* weak_sb with the wrong fences: neither lfence nor sfence orders a load after an earlier store. */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	__asm__ volatile("lfence" ::: "memory");
	a = LD(y);
	return NULL;
}

T(q)
{
	ST(y, 1);
	__asm__ volatile("sfence" ::: "memory");
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
