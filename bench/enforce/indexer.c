/* Fifteen threads put four numbers each into the table of the round by compare-and-swap; from the twelfth on they
   collide. */
#include "paper.h"
static int table[ROUNDS][128];
static void *run(void *a)
{
	int me = (int)(intptr_t)a;

	for (int r = 0; r < rounds; r++) {
		compute_alone(me);
		for (int m = 1; m <= 4; m++) {
			int w = m * 11 + me, h = w * 7 % 128, empty = 0;

			while (!__atomic_compare_exchange_n(&table[r][h], &empty, w, 0, __ATOMIC_SEQ_CST,
				__ATOMIC_SEQ_CST)) {
				h = (h + 1) % 128;
				empty = 0;
			}
		}
	}
	return NULL;
}
int main(int argc, char **argv)
{
	paper_run(15, run, argv);
	return 0;
}
