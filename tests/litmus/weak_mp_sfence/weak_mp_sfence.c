/* weak_mp with sfence between the stores, which orders them. */
#include "../weak.h"

static atomic_int data, flag;
static int a, b;

T(p)
{
	ST(data, 1);
	__asm__ volatile("sfence" ::: "memory");
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
