/*
 * An assertion fails in some schedules. How often a thread takes a lock before depends on the number of a new
 * descriptor, and so on which descriptors the program inherits.
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int number, done;

static void *body(void *arg)
{
	for (int i = 0; i < number; i++) {
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
	}
	pthread_mutex_lock(&lock);
	done = 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t t;

	number = dup(0);
	pthread_create(&t, NULL, body, NULL);
	pthread_mutex_lock(&lock);
	assert(!done);
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
