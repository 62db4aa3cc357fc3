/* A thread must handle another thread's signal in the middle of its work: not later, as natively on most machines. */
#include <signal.h>
#include "window.h"
static volatile int part, seen; /* volatile: the handler reads and writes them at any place */
static pthread_t worker;

static void handler(int signal)
{
	seen = part;
}

static void *send_signal(void *a)
{
	window(1);
	assert(!pthread_kill(worker, SIGUSR1));
	return a;
}

int main(void)
{
	pthread_t sender;

	signal(SIGUSR1, handler);
	worker = pthread_self();
	part = 1;
	pthread_create(&sender, NULL, send_signal, NULL);
	for (int i = 0; i < 10000; i++) /* no sleep, which the signal would end */
		__builtin_ia32_pause();
	part = 2;
	pthread_join(sender, NULL);
	assert(seen == 1);
	return 0;
}
