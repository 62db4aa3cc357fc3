/* Dekker's algorithm for two threads. */
#include "paper.h"
static int flag[2], turn;
static void *run(void *a)
{
	int me = (int)(intptr_t)a, other = 1 - me;

	for (int r = 0; r < rounds; r++) {
		compute_in_turn(me);
		set(&flag[me], 1);
		while (get(&flag[other])) {
			if (get(&turn) != me) {
				set(&flag[me], 0);
				while (get(&turn) != me)
					;
				set(&flag[me], 1);
			}
		}
		be_inside();
		set(&turn, other);
		set(&flag[me], 0);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	paper_run(2, run, argv);
	return 0;
}
