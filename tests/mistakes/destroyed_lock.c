/*
 * main destroys the lock of the table although the worker was only asked to stop.
 * kind: destroyed
 * says: had destroyed it
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;
static int entries;

static void *work(void *unused)
{
	while (!stop) {
		pthread_mutex_lock(&lock);
		entries++;
		pthread_mutex_unlock(&lock);
		stop = 1;
	}
	pthread_mutex_lock(&lock);
	entries = 0;
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t worker;

	pthread_create(&worker, NULL, work, NULL);
	stop = 1;
	pthread_mutex_destroy(&lock);
	pthread_join(worker, NULL);
	return 0;
}
