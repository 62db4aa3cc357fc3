/* A thread locks, looks at a flag, unlocks and sleeps until the flag is set. Each number of turns would be another trace, without
 * end. simul leaves out turns without effect (docs/rounds.md). With an argument the flag is never set: that is not complete.
 * build: gcc -g -O0 -pthread
 * build: gcc -g -O2 -pthread
 * check: complete traces=2 : --jobs 1 --strategy optimal --
 * check: complete : --
 * check: incomplete : --executions 3 --max-steps 2000 -- never
 */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int stop;

static void *poller(void *arg)
{
	for (;;) {
		pthread_mutex_lock(&m);
		int seen = stop;
		pthread_mutex_unlock(&m);
		if (seen)
			return arg;
		usleep(1000);
	}
}

static void *setter(void *arg)
{
	pthread_mutex_lock(&m);
	stop = arg != NULL;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	pthread_create(&a, NULL, poller, NULL);
	pthread_create(&b, NULL, setter, argc == 1 ? argv : NULL);
	pthread_join(b, NULL);
	pthread_join(a, NULL);
	return 0;
}
