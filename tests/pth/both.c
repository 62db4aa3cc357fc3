/*
 * Two threads of GNU Pth, and a POSIX thread that locks a mutex as main does: 2 orders. With any order of the Pth
 * threads, which have no part in that, 3 times as many.
 */
#include <pth.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg)
{
	return arg;
}

static void *locks(void *arg)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t thread;
	pth_init();
	pth_t a = pth_spawn(PTH_ATTR_DEFAULT, run, NULL), b = pth_spawn(PTH_ATTR_DEFAULT, run, NULL);
	pth_join(a, NULL);
	pth_join(b, NULL);
	pthread_create(&thread, NULL, locks, NULL);
	locks(NULL);
	return pthread_join(thread, NULL);
}
