/*
 * The latch bug of PostgreSQL on PowerPC (Lane, "Unportability of the latch code", pgsql-hackers 2011; Alglave, Kroening, Nimal and Tautschnig,
 * "Software verification for weak memory via program transformation", ESOP 2013). Two workers hand a flag to each other; the latch
 * says that something came. Who finds the latch set finds the flag set, if they reach memory in order.
 * wait_latch() waits until a latch is set; when it gives up it returns 0.
 */
#include "weak.h"

#ifndef ROUNDS
#define ROUNDS 8
#endif

static shared latch[2] = { 1 }, flag[2] = { 1 };

static int wait_latch(int me);

static void work(int me)
{
	int other = 1 - me;

	for (int n = 0; n < ROUNDS; n++) {
		if (!wait_latch(me))
			return;
		assert(!LD(latch[me]) || LD(flag[me]));
		ST(latch[me], 0);
		if (LD(flag[me])) {
			ST(flag[me], 0);
			ST(flag[other], 1);
			pso_fence();
			ST(latch[other], 1);
		}
	}
}

T(first)
{
	work(0);
	return NULL;
}

T(second)
{
	work(1);
	return NULL;
}

int main(void)
{
	run2(first, second);
	return 0;
}
