/* Lamport's fast mutex for two threads. */
#include "paper.h"
static int x, y, b[3];
static void acquire(int me)
{
	int other = 3 - me;

	for (;;) {
		set(&b[me], 1);
		set(&x, me);
		if (get(&y)) {
			set(&b[me], 0);
			while (get(&y))
				;
			continue;
		}
		set(&y, me);
		if (get(&x) == me)
			return;
		set(&b[me], 0);
		while (get(&b[other]))
			;
		if (get(&y) == me)
			return;
		while (get(&y))
			;
	}
}
static void *run(void *a)
{
	int me = (int)(intptr_t)a + 1;

	for (int r = 0; r < rounds; r++) {
		compute_in_turn(me);
		acquire(me);
		be_inside();
		set(&y, 0);
		set(&b[me], 0);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	paper_run(2, run, argv);
	return 0;
}
