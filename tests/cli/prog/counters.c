/* Two bugs: one in the first executions, which discover memory, so that the search restarts after it. With an argument: no bug, and a loop that polls a
   clock, so that an execution is cut and the rest are samples. */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int first, second, alive = 1;

static void *worker(void *unused)
{
	first = 1;
	if (second == 2)
		second = 3;
	pthread_mutex_lock(&lock);
	alive = 0;
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void poll_clock(void)
{
	time_t start = time(NULL);

	while (difftime(time(NULL), start) < 1 && alive) {
		pthread_mutex_lock(&lock);
		second = 1;
		pthread_mutex_unlock(&lock);
	}
}

int main(int argc, char **argv)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	if (argc > 1)
		poll_clock();
	else if (first)
		second = 2;
	pthread_join(t, NULL);
	if (argc == 1 && (first == 1 && second == 0))
		abort();
	return argc == 1 && second == 3;
}
