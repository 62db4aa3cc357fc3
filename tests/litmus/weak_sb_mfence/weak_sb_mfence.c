/* weak_sb with mfence, and with a locked instruction on the stack, which programs use in its place. */
#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	__asm__ volatile("mfence" ::: "memory");
	a = LD(y);
	return NULL;
}

T(q)
{
	ST(y, 1);
	__asm__ volatile("lock; orl $0, (%%rsp)" ::: "memory", "cc");
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
