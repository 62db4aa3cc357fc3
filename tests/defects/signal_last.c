/* A handler runs on a thread that has no visible operation, or after the last access of a thread: a thread handles signals until it ends. simul once
 * said `complete`.
 * check: bug kind=assert replays=20 : -- 0
 * check: bug kind=assert replays=20 : -- 1
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static volatile int last;
static int how;

static void handler(int sig)
{
	if (how == 0)
		assert(!"it runs");
	assert(!last);
}

static void *worker(void *arg)
{
	if (how == 1)
		last = 1;
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
	return 0;
}
