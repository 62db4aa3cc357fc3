/* A lost update, and after it an operation that no prefix has. argv[1]: pipe, socket, wait (for a signal), fork, v: vfork, cancel. */
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include "lost_update.h"
static char what;
static int end[2];
static sigset_t set;
static pthread_t first, sleeper;

static void *sleep_on(void *a)
{
	char c;

	for (;;)
		if (read(end[0], &c, 1) == 1)
			abort();
	return a;
}

static void *one(void *a)
{
	pid_t child;
	int status;

	increment();
	if (what == 'p')
		assert(write(end[1], "x", 1) == 1);
	else if (what == 's')
		assert(send(end[1], "x", 1, 0) == 1);
	else if (what == 'w')
		assert(!pthread_kill(first, SIGUSR1));
	else if (what == 'c')
		assert(!pthread_cancel(sleeper));
	else if (!(child = what == 'v' ? vfork() : fork()))
		_exit(7);
	else
		assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7);
	return a;
}

static void *two(void *a)
{
	increment();
	return a;
}

int main(int argc, char **argv)
{
	pthread_t t[2];
	struct pollfd ready;
	int signal;
	char c = 0;

	what = argv[1][0];
	first = pthread_self();
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	assert(!(what == 'p' ? pipe(end) : socketpair(AF_UNIX, SOCK_STREAM, 0, end)));
	if (what == 'c')
		pthread_create(&sleeper, NULL, sleep_on, NULL);
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	if (what == 'w')
		assert(!sigwait(&set, &signal) && signal == SIGUSR1);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	if (what == 'c')
		pthread_join(sleeper, NULL);
	ready = (struct pollfd){.fd = end[0], .events = POLLIN};
	if (what == 'p')
		assert(poll(&ready, 1, -1) == 1 && read(end[0], &c, 1) == 1 && c == 'x' && !close(end[1]));
	else if (what == 's')
		assert(recv(end[0], &c, 1, 0) == 1 && c == 'x');
	assert(n == 2);
	return 0;
}
