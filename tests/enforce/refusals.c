/* Threads depend on an operation that no prefix may have. argv[1]: read, poll, l: close, signal, cancel, f: system, alarm, buffer (of a read), wait: cancel in pthread_cond_wait. */
#include <poll.h>
#include <signal.h>
#include "window.h"
static char what;
static int end[2];
static char shared;
static pthread_t worker;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;

static void handler(int signal)
{
}

static void *work(void *a)
{
	char c;

	if (what == 'r')
		assert(read(end[0], &c, 1) == 1);
	if (what == 'b')
		assert(write(end[1], "x", 1) == 1), shared = 1;
	if (what == 's')
		pause();
	if (what == 'c')
		pthread_testcancel();
	if (what == 'w') {
		pthread_mutex_lock(&lock);
		pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &lock);
		for (;;)
			pthread_cond_wait(&never, &lock);
		pthread_cleanup_pop(0);
	}
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return a;
}

int main(int argc, char **argv)
{
	struct pollfd ready;

	what = argv[1][0];
	assert(!pipe(end));
	ready = (struct pollfd){.fd = end[1], .events = POLLOUT};
	signal(SIGALRM, handler);
	signal(SIGUSR1, handler);
	if (what == 'r')
		assert(write(end[1], "x", 1) == 1);
	pthread_create(&worker, NULL, work, NULL);
	if (what == 'p')
		assert(poll(&ready, 1, 0) == 1);
	if (what == 'l')
		assert(!close_range((unsigned)end[0], (unsigned)end[0], 0));
	if (what == 's')
		assert(!pthread_kill(worker, SIGUSR1));
	if (what == 'c' || what == 'w')
		pthread_cancel(worker);
	if (what == 'f')
		assert(system("exit 3") != -1);
	if (what == 'b')
		assert(read(end[0], &shared, 1) == 1);
	if (what == 'a') {
		alarm(1);
		pause();
	}
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_join(worker, NULL);
	return 0;
}
