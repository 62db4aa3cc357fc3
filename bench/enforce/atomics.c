/* argv[1] threads, argv[2] rounds: each round computes for about a microsecond, adds to a number that all share, and raises a shared maximum by
   compare-and-swap. */
#include "timed.h"
static unsigned long sum, most;
static int rounds;
static void *run(void *a)
{
	unsigned long v = (unsigned long)a;

	for (int r = 0; r < rounds; r++) {
		v = compute(v, 1000);
		__atomic_fetch_add(&sum, v, __ATOMIC_SEQ_CST);
		unsigned long old = __atomic_load_n(&most, __ATOMIC_SEQ_CST);
		while (old < v && !__atomic_compare_exchange_n(&most, &old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			;
	}
	return a;
}
int main(int argc, char **argv)
{
	rounds = atoi(argv[2]);
	timed_threads(atoi(argv[1]), run);
	return 0;
}
