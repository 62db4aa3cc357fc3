/* i += j against j += i, argv[3] times in each round. */
#include "paper.h"
static unsigned i = 1, j = 1;
static int times;
static void add(unsigned *to, const unsigned *from)
{
	__atomic_fetch_add(to, __atomic_load_n(from, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
}
static void *run(void *a)
{
	int me = (int)(intptr_t)a;

	for (int r = 0; r < rounds; r++) {
		compute_alone(me);
		for (int k = 0; k < times; k++)
			if (!me)
				add(&i, &j);
			else
				add(&j, &i);
	}
	return NULL;
}
int main(int argc, char **argv)
{
	times = atoi(argv[3]);
	paper_run(2, run, argv);
	return 0;
}
