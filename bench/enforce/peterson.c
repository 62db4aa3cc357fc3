/* Peterson's algorithm for two threads. */
#include "paper.h"
static int want[2], victim;
static void *run(void *a)
{
	int me = (int)(intptr_t)a, other = 1 - me;

	for (int r = 0; r < rounds; r++) {
		compute_in_turn(me);
		set(&want[me], 1);
		set(&victim, me);
		while (get(&want[other]) && get(&victim) == me)
			;
		be_inside();
		set(&want[me], 0);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	paper_run(2, run, argv);
	return 0;
}
