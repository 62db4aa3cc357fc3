/*
 * Lamport's fast mutual exclusion ("A fast mutual exclusion algorithm", TOCS 1987, algorithm 2) for two threads, which are
 * numbered 1 and 2 since 0 in y means that no thread is inside.
 */
#include "weak.h"

static shared b[3], x, y, owner;

static void enter(int me)
{
	int other = 3 - me;

	for (;;) {
		ST(b[me], 1);
		pso_fence();
		ST(x, me);
		tso_fence();
		if (LD(y) != 0) {
			ST(b[me], 0);
			while (LD(y) != 0)
				;
			continue;
		}
		ST(y, me);
		tso_fence();
		if (LD(x) == me)
			return;
		ST(b[me], 0);
		tso_fence();
		while (LD(b[other]))
			;
		if (LD(y) == me)
			return;
		while (LD(y) != 0)
			;
	}
}

static void once(int me)
{
	enter(me);
	ST(owner, me);
	assert(LD(owner) == me);
	pso_fence();
	ST(y, 0);
	pso_fence();
	ST(b[me], 0);
}

T(first)
{
	once(1);
	return NULL;
}

T(second)
{
	once(2);
	return NULL;
}

int main(void)
{
	run2(first, second);
	return 0;
}
