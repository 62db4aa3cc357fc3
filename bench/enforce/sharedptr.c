/* Objects with a reference counter: each of two users takes, uses and drops the object of the round. A user may count
   after the other has dropped the last reference, which is the bug of the paper's program; nothing is freed here, so it
   shows in no result. */
#include "paper.h"
static int refs[ROUNDS];
static int *shared[ROUNDS];
static void *run(void *a)
{
	int me = (int)(intptr_t)a;

	for (int r = 0; r < rounds; r++) {
		int *p;

		compute_in_turn(me);
		p = __atomic_load_n(&shared[r], __ATOMIC_SEQ_CST);
		if (!p)
			continue;
		__atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
		if (!__atomic_sub_fetch(p, 1, __ATOMIC_SEQ_CST) || me)
			__atomic_store_n(&shared[r], NULL, __ATOMIC_SEQ_CST);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	for (int r = 0; r < ROUNDS; r++)
		shared[r] = &refs[r];
	paper_run(2, run, argv);
	return 0;
}
