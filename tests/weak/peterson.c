/*
 * Peterson's algorithm ("Myths about the mutual exclusion problem", 1981): each of two threads goes through its critical section
 * once and finds there what it wrote.
 */
#include "weak.h"

static shared wants[2], last, owner;

static void once(int me)
{
	int other = 1 - me;

	ST(wants[me], 1);
	pso_fence();
	ST(last, me);
	tso_fence();
	while (LD(wants[other]) && LD(last) == me)
		;
	ST(owner, me);
	assert(LD(owner) == me);
	pso_fence();
	ST(wants[me], 0);
}

T(first)
{
	once(0);
	return NULL;
}

T(second)
{
	once(1);
	return NULL;
}

int main(void)
{
	run2(first, second);
	return 0;
}
