/* argv[1] threads, argv[2] rounds: each round computes for about a microsecond and then adds to a number under a lock that all share. */
#include "timed.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned long sum;
static int rounds;
static void *run(void *a)
{
	unsigned long v = (unsigned long)a;

	for (int r = 0; r < rounds; r++) {
		for (int i = 0; i < 1000; i++)
			v = v * 6364136223846793005ul + 1442695040888963407ul;
		pthread_mutex_lock(&lock);
		sum += v;
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
