/* argv[1] threads, argv[2] rounds: each round computes for about a microsecond, adds to a number that all share, and raises a shared maximum by
   compare-and-swap. */
#include "timed.h"
static unsigned long sum, most;
static int rounds;
static void *run(void *a)
{
	unsigned long v = (unsigned long)a;

	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < 1000; i++)
			v = v * 6364136223846793005ul + 1442695040888963407ul;
		__atomic_fetch_add(&sum, v, __ATOMIC_SEQ_CST);
		unsigned long old = __atomic_load_n(&most, __ATOMIC_SEQ_CST);
		while (old < v && !__atomic_compare_exchange_n(&most, &old, v, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
			;
	}
	return a;
}
int main(int argc, char **argv)
{
	pthread_t t[32];
	int n = atoi(argv[1]);

	rounds = atoi(argv[2]);
	time_begin();
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, run, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	time_print();
	return 0;
}
