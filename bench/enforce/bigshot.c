/* One thread allocates, the other fills what it finds; nothing orders them, and the text may stay empty. */
#include "paper.h"
static char room[ROUNDS][8];
static char *text[ROUNDS];
static void *run(void *a)
{
	int me = (int)(intptr_t)a;

	for (int r = 0; r < rounds; r++) {
		compute_in_turn(me);
		if (!me) {
			__atomic_store_n(&text[r], room[r], __ATOMIC_SEQ_CST);
		} else {
			char *t = __atomic_load_n(&text[r], __ATOMIC_SEQ_CST);

			if (t)
				*(volatile char *)t = 'B';
		}
	}
	return NULL;
}
int main(int argc, char **argv)
{
	paper_run(2, run, argv);
	return 0;
}
