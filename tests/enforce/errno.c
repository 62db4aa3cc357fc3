/* errno belongs to the program: waiting for another thread must not change it. A timeout before the epoch expires at once. */
#include <errno.h>
#include <time.h>
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static void *late(void *a)
{
	window(1);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return a;
}
static void *waits(void *a)
{
	const struct timespec past = {-1, 0};

	errno = ENOTTY;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	assert(errno == ENOTTY);
	pthread_mutex_lock(&other);
	assert(pthread_cond_timedwait(&cond, &other, &past) == ETIMEDOUT);
	pthread_mutex_unlock(&other);
	return a;
}
int main(void) { return run_two(late, waits); }
