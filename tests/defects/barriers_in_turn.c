/* Like bug_lost_in_analysis.c, with many threads and two barriers used in turn. The arrival that completes a round is far back in the history of its
 * barrier. A search that finds no failure looks for that arrival too.
 * check: bug kind=crash : --time 25s --no-minimize -- 350 1
 * check: incomplete : --strategy optimal --executions 5 -- 350 0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define THREADS 6
static pthread_barrier_t even, odd;
static atomic_int sum[2];
static int rounds;

static void *pass(void *unused)
{
	for (int r = 0; r < rounds; r++) {
		atomic_fetch_add(&sum[r % 2], 1);
		pthread_barrier_wait(r % 2 ? &odd : &even);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[THREADS];

	rounds = atoi(argv[1]);
	pthread_barrier_init(&even, NULL, THREADS);
	pthread_barrier_init(&odd, NULL, THREADS);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&t[i], NULL, pass, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(t[i], NULL);
	if (atoi(argv[2]))
		*(volatile int *)8 = 1;
}
