/* A signal to the process, which two threads could handle: the main thread until it blocks the signal, and another one. simul said `complete`
 * without the orders in which the main thread handles it.
 * check: incomplete says=several_threads_could_handle : --strategy optimal -- blocks
 * check: incomplete says=several_threads_could_handle : --strategy source -- blocks
 * The main thread handles it in each order: it never blocks the signal. The others may.
 * check: complete : -- open
 * Only one thread can handle it.
 * check: complete : -- one
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static sigset_t set;
static atomic_int x, seen;
static int blocks, one;

static void handler(int sig)
{
	seen = x;
}

static void *send(void *unused)
{
	kill(getpid(), SIGUSR1);
	return NULL;
}

static void *handle(void *unused)
{
	if (one)
		pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	x = 1;
	return NULL;
}

int main(int argc, char **argv)
{
	struct sigaction a = {.sa_handler = handler};
	pthread_t t[2];

	blocks = argc > 1 && !strcmp(argv[1], "blocks");
	one = argc > 1 && !strcmp(argv[1], "one");
	sigaction(SIGUSR1, &a, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	if (one)
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t[0], NULL, handle, NULL);
	if (blocks)
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t[1], NULL, send, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
