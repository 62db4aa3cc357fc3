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
