/* argv[1] threads, argv[2] rounds: each adds to one counter under a lock and to another with a locked instruction. */
#include "timed.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int locked, atomic, rounds;
static void *run(void *a)
{
	for (int r = 0; r < rounds; r++) {
		pthread_mutex_lock(&lock);
		locked++;
		pthread_mutex_unlock(&lock);
		__atomic_fetch_add(&atomic, 1, __ATOMIC_SEQ_CST);
	}
	return a;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]);

	rounds = atoi(argv[2]);
	timed_threads(n, run);
	assert(locked == n * rounds && atomic == n * rounds);
	return 0;
}
