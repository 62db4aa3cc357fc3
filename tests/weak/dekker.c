/*
 * Dekker's algorithm (Dijkstra, "Cooperating sequential processes", 1965): each of two threads goes through its critical section
 * ROUNDS times and finds there what it wrote.
 */
#include "weak.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif

static shared wants[2], turn, owner;

static void enter(int me)
{
	int other = 1 - me;

	ST(wants[me], 1);
	tso_fence();
	while (LD(wants[other])) {
		if (LD(turn) == me)
			continue;
		ST(wants[me], 0);
		while (LD(turn) != me)
			;
		ST(wants[me], 1);
		tso_fence();
	}
}

static void leave(int me)
{
	pso_fence();
	ST(turn, 1 - me);
	pso_fence();
	ST(wants[me], 0);
}

static void rounds(int me)
{
	for (int n = 0; n < ROUNDS; n++) {
		enter(me);
		ST(owner, me);
		assert(LD(owner) == me);
		leave(me);
	}
}

T(first)
{
	rounds(0);
	return NULL;
}

T(second)
{
	rounds(1);
	return NULL;
}

int main(void)
{
	run2(first, second);
	return 0;
}
