/* A thread must have done its work before another thread's signal stops it. The signal comes after the prefix. */
#include <signal.h>
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t stopped;
static pthread_t worker;

static void stop(int signal)
{
	stopped = 1;
}

static void *work(void *a)
{
	for (int i = 0; i < 300000; i++) /* no sleep: in the first execution the thread must not give way */
		__builtin_ia32_pause();
	pthread_mutex_lock(&lock);
	assert(!stopped);
	pthread_mutex_unlock(&lock);
	return a;
}

static void *send_signal(void *a)
{
	assert(!pthread_kill(worker, SIGUSR1));
	return a;
}

int main(void)
{
	pthread_t sender;

	signal(SIGUSR1, stop);
	pthread_create(&worker, NULL, work, NULL);
	pthread_create(&sender, NULL, send_signal, NULL);
	pthread_join(sender, NULL);
	pthread_join(worker, NULL);
	return 0;
}
