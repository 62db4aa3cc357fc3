/*
 * private FILE ROUNDS: a thread reads and writes memory that only it uses, one access at a time. Writes the nanoseconds of one
 * access to FILE. Under simul a sensor sees every access and none is an event.
 */
#include <pthread.h>

#include "raw.h"

static int rounds;
static double nanoseconds;
static volatile uint64_t cell[64];

static void *work(void *arg)
{
	int64_t start = raw_now();

	for (int i = 0; i < rounds; i++)
		cell[i % 64] = cell[(i + 1) % 64] + 1;
	nanoseconds = (double)(raw_now() - start) / (2.0 * rounds);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	if (argc < 3)
		return 2;
	raw_init();
	rounds = atoi(argv[2]);
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
	report(argv[1], nanoseconds);
	return 0;
}
