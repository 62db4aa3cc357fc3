/* argv[1] threads, argv[2] rounds: each sleeps for a millisecond and then counts under a lock. Nearly all of its time is sleep, so this row says what
   enforcement adds to a program that waits for something else; it hides the cost of the events. */
#include "timed.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count, rounds;
static void *run(void *a)
{
	for (int r = 0; r < rounds; r++) {
		usleep(1000);
		pthread_mutex_lock(&lock);
		count++;
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
