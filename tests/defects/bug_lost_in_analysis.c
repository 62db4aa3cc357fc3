/* Every execution fails at its end. Before that, 3 threads pass many rounds of a barrier and access shared memory in each. simul reported the
 * failure only after it had computed how many preemptions the execution needs. This took a minute, so with a smaller --time there was no bug.
 * check: bug kind=assert never=no_bug_found : --time 25s --no-minimize -- 1200 4
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t barrier;
static volatile int x[4];
static int rounds, accesses;

static void *pass(void *unused)
{
	for (int r = 0; r < rounds; r++) {
		for (int k = 0; k < accesses; k++)
			x[k % 4]++;
		pthread_barrier_wait(&barrier);
	}
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[3];

	rounds = atoi(argv[1]);
	accesses = atoi(argv[2]);
	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, pass, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(!"always");
}
