/* Like signal_own_thread. The first thread is interrupted, the memory that it shares with its handlers is thread-local, and another signal
 * interrupts the handler. With 1 the first handler blocks the other signal.
 * check: bug kind=assert replays=20 : -- 0
 * check: bug kind=assert : --model tso --strategy optimal -- 0
 * check: complete : -- 1
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static __thread volatile int sum;
static __thread volatile int handled;
static pthread_t first;

static void on_usr1(int sig)
{
	int v = sum;
	sum = v + 1;
	handled = handled + 1;
}

static void on_usr2(int sig)
{
	sum = sum + 1;
	handled = handled + 1;
}

static void *sender(void *arg)
{
	pthread_kill(first, SIGUSR1);
	pthread_kill(first, SIGUSR2);
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction one = {.sa_handler = on_usr1}, two = {.sa_handler = on_usr2};
	sigset_t all;
	pthread_t t;
	if (atoi(argv[1]))
		sigaddset(&one.sa_mask, SIGUSR2);
	sigaddset(&two.sa_mask, SIGUSR1);
	sigaction(SIGUSR1, &one, NULL);
	sigaction(SIGUSR2, &two, NULL);
	first = pthread_self();
	pthread_create(&t, NULL, sender, NULL);
	pthread_join(t, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	assert(sum == handled);
	return 0;
}
