/*
 * Message passing. The reader sees the flag but not the data: never under SC and TSO, where stores reach memory in order. PSO has a queue for
 * each variable. 4 outcomes under PSO, 3 without this one.
 */
#include "../weak.h"

static atomic_int data, flag;
static int a, b;

T(p)
{
	ST(data, 1);
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
