/* The process ends while threads are blocked for ever and while others may still run; exit handlers run once, in reverse
   order, in the thread that called exit. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_t main_thread;
static char order[8];

static void first(void)
{
	if (strcmp(order, "2") != 0 || !pthread_equal(pthread_self(), main_thread))
		_exit(3);
}

static void second(void)
{
	strcat(order, "2");
}

static void *sleeper(void *arg)
{
	pthread_mutex_lock(&lock);
	for (;;)
		pthread_cond_wait(&never, &lock);
}

static void *busy(void *arg)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(arg);
		pthread_mutex_unlock(arg);
	}
	return NULL;
}

int main(void)
{
	static pthread_mutex_t other = PTHREAD_MUTEX_INITIALIZER;
	pthread_t t;

	main_thread = pthread_self();
	atexit(first);
	atexit(second);
	if (pthread_create(&t, NULL, sleeper, NULL) != 0 || pthread_create(&t, NULL, busy, &other) != 0)
		return 1;
	exit(0);
}
