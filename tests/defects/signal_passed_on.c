/* A handler runs on the first thread and sets a flag for another thread, which then writes to memory that the first thread is about to change. If
 * the signal comes early, that write happens between the handler and the change. simul took the write as ordered after the change, because in the
 * observed execution the handler ran later and established that order. With 1 the signal is blocked until the change is made. With 2 the first
 * thread sets the flag itself, after the change.
 * check: bug kind=assert replays=20 : -- 0
 * check: bug kind=assert : --model tso --strategy optimal -- 0
 * check: complete : -- 1
 * check: complete : -- 2
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static volatile int sent, value, how;
static pthread_t first;

static void on_usr1(int sig)
{
	if (how != 2)
		sent = 1;
}

static void *other(void *arg)
{
	pthread_kill(first, SIGUSR1);
	if (sent)
		value = 3;
	return NULL;
}

int main(int argc, char **argv)
{
	sigset_t usr1;
	pthread_t t;

	how = atoi(argv[1]);
	first = pthread_self();
	signal(SIGUSR1, on_usr1);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	if (how == 1)
		pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	pthread_create(&t, NULL, other, NULL);
	value++;
	if (how == 2)
		sent = 1;
	pthread_sigmask(SIG_UNBLOCK, &usr1, NULL);
	pthread_join(t, NULL);
	assert(value != 4);
	return 0;
}
