/* The flag is tested before the lock is taken: the signal may come in between, and then the wait never ends. */
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static volatile int ready;
static void *waits(void *a)
{
	if (!ready) {
		window(2);
		pthread_mutex_lock(&lock);
		pthread_cond_wait(&cond, &lock);
		pthread_mutex_unlock(&lock);
	}
	return a;
}
static void *wakes(void *a)
{
	window(1);
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&lock);
	return a;
}
int main(void) { return run_two(waits, wakes); }
