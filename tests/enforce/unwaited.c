/* As cancelled.c, but the cancelled thread waits for a condition. So does another one, which gets the signal. The
   program also uses a barrier and an initialiser. */
#include "lost_update.h"
static pthread_mutex_t door;
static pthread_cond_t opens = PTHREAD_COND_INITIALIZER;
static pthread_once_t first = PTHREAD_ONCE_INIT;
static pthread_barrier_t both;
static pthread_t sleeper, other;
static int open, cleaned, made;

static void make(void)
{
	made++;
}

static void leave(void *a)
{
	cleaned = 1;
	assert(!pthread_mutex_unlock(&door)); /* it checks the owner */
}

static void *sleep_on(void *a)
{
	assert(!pthread_mutex_lock(&door));
	pthread_cleanup_push(leave, NULL);
	while (!open)
		pthread_cond_wait(&opens, &door);
	pthread_cleanup_pop(0);
	pthread_mutex_unlock(&door);
	return a;
}

static void increment_together(void)
{
	pthread_once(&first, make);
	increment();
	pthread_barrier_wait(&both);
}

static void *one(void *a)
{
	assert(!pthread_cancel(sleeper));
	increment_together();
	return a;
}

static void *two(void *a)
{
	increment_together();
	return a;
}

int main(void)
{
	pthread_mutexattr_t checks;
	void *result;

	pthread_mutexattr_init(&checks);
	pthread_mutexattr_settype(&checks, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&door, &checks);
	pthread_barrier_init(&both, NULL, 2);
	pthread_create(&sleeper, NULL, sleep_on, NULL);
	pthread_create(&other, NULL, sleep_on, NULL);
	run_two(one, two);
	pthread_join(sleeper, &result);
	assert(result == PTHREAD_CANCELED && cleaned && made == 1);
	pthread_mutex_lock(&door);
	open = 1;
	pthread_cond_signal(&opens);
	pthread_mutex_unlock(&door);
	pthread_join(other, &result);
	assert(!result && n == 2);
	return 0;
}
