/* A handler sees an intermediate state of its own thread: the length is set, the buffer is not set yet. simul once said `complete`. With 1 the
 * thread sets them in the right order.
 * check: bug kind=assert replays=20 : -- 0
 * check: bug kind=assert : --model tso --strategy optimal -- 0
 * check: complete : -- 1
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static volatile int length;
static char *volatile buffer;
static char store[4];
static int right;

static void handler(int sig)
{
	if (length)
		assert(buffer);
}

static void *worker(void *arg)
{
	if (right)
		buffer = store;
	length = 4;
	buffer = store;
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	right = atoi(argv[1]);
	signal(SIGUSR1, handler);
	pthread_create(&t, NULL, worker, NULL);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}
