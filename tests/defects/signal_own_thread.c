/* A handler interrupts its own thread between the load and the store of x, and its increment is lost. Only this thread and its handler use x. The
 * search had no scheduling point there, and said `complete`. With 1 the signal is blocked during this time. With 2 one instruction loads and stores,
 * so no handler can run in between.
 * build: gcc -g -O1 -pthread
 * build: clang -g -O0 -pthread
 * check: bug kind=assert replays=20 : -- 0
 * check: bug kind=assert : --model tso --strategy optimal -- 0
 * check: bug kind=assert : --isolation fork --threads kernel -- 0
 * check: complete : -- 1
 * check: complete : -- 2
 * long: complete : --model tso -- 1
 * long: complete : --model tso -- 2
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static volatile int x, handled;
static int how;

static void handler(int sig)
{
	x = x + 1;
	handled = handled + 1;
}

static void *worker(void *arg)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (how == 1)
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (how == 2) {
		__asm__ volatile("incl %0" : "+m"(x) : : "cc");
	} else {
		int v = x;
		x = v + 1;
	}
	if (how == 1)
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	how = atoi(argv[1]);
	signal(SIGUSR1, handler);
	pthread_create(&t, NULL, worker, NULL);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	assert(x == 1 + handled);
	return 0;
}
