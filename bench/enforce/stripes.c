/* argv[1] threads, argv[2] rounds: each adds to one of 64 counters. Each counter has a lock of its own. */
#include "timed.h"
#define STRIPES 64
static struct {
	_Alignas(64) pthread_mutex_t lock;
	int n;
} stripe[STRIPES];
static int rounds;
static void *run(void *a)
{
	unsigned v = (unsigned)(intptr_t)a;

	for (int r = 0; r < rounds; r++) {
		v = v * 1664525 + 1013904223;
		pthread_mutex_lock(&stripe[v >> 26].lock);
		stripe[v >> 26].n++;
		pthread_mutex_unlock(&stripe[v >> 26].lock);
	}
	return a;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), all = 0;

	rounds = atoi(argv[2]);
	for (int i = 0; i < STRIPES; i++)
		pthread_mutex_init(&stripe[i].lock, NULL);
	timed_threads(n, run);
	for (int i = 0; i < STRIPES; i++)
		all += stripe[i].n;
	assert(all == n * rounds);
	return 0;
}
