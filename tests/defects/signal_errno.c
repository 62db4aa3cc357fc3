/* A handler changes errno between a call of its thread and the check of errno. simul once restored errno after each handler, and said `complete`.
 * With 1 the handler restores errno itself.
 * check: bug kind=assert replays=20 : -- 0
 * check: complete : -- 1
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static int careful;

static void handler(int sig)
{
	int before = errno;
	errno = EAGAIN;
	if (careful)
		errno = before;
}

static void *worker(void *arg)
{
	int r = rmdir("/proc/1");
	assert(r == -1 && errno != EAGAIN);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;
	careful = atoi(argv[1]);
	signal(SIGUSR1, handler);
	pthread_create(&t, NULL, worker, NULL);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}
