/*
 * Szymanski's algorithm ("A simple solution to Lamport's concurrent programming problem with linear wait", ICS 1988) for two
 * threads. A flag says 0: elsewhere, 1: at the outer door, 2: waits inside for others, 3: in the doorway, 4: the door is closed
 * behind it. Thread 0 goes first, so it checks the other when it leaves, and thread 1 checks before it enters.
 */
#include "weak.h"

static shared flag[2], owner;

static void once(int me)
{
	int other = 1 - me;

	ST(flag[me], 1);
	tso_fence();
	while (LD(flag[other]) >= 3)
		;
	ST(flag[me], 3);
	tso_fence();
	if (LD(flag[other]) == 1) {
		ST(flag[me], 2);
		tso_fence();
		while (LD(flag[other]) != 4)
			;
	}
	ST(flag[me], 4);
	tso_fence();
	if (me == 1)
		while (LD(flag[0]) >= 2)
			;

	ST(owner, me);
	assert(LD(owner) == me);

	if (me == 0)
		for (;;) {
			int f = LD(flag[1]);

			if (f != 2 && f != 3)
				break;
		}
	pso_fence();
	ST(flag[me], 0);
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
