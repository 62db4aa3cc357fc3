/* argv[1] threads, argv[2] rounds: each round computes for about a microsecond and then adds to a number under a lock that all share. */
#include "timed.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;
static int rounds;
static void *run(void *a)
{
	unsigned long v = (unsigned long)a;

	for (int r = 0; r < rounds; r++) {
		v = compute(v, 1000);
		pthread_mutex_lock(&lock);
		sum += v;
		pthread_mutex_unlock(&lock);
	}
	return a;
}
int main(int argc, char **argv)
{
	rounds = atoi(argv[2]);
	timed_threads(atoi(argv[1]), run);
	return 0;
}
