/* A program reads from a socket pair what a process writes that its child has started; the child has ended. simul knew such processes by their
 * pipes only, and reported a false deadlock.
 * check: complete traces=2 : --
 * check: complete traces=2 : --isolation exec --
 * The program has closed its own descriptor of the other end.
 * check: complete traces=2 : -- closed
 * The process ends without a word. The program itself holds the other end and waits for ever.
 * check: bug kind=deadlock : -- open silent
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int value;

static void *set(void *unused)
{
	value = 1;
	return unused;
}

/* Starts a process that is no child of this one. It writes to the socket, unless it is silent. */
static void start(const int *ends, int silent)
{
	int status;
	pid_t child = fork();

	assert(child >= 0);
	if (!child) {
		if (fork())
			_exit(0);
		close(ends[0]);
		usleep(300000);
		if (!silent && write(ends[1], "x", 1) != 1)
			_exit(1);
		_exit(0);
	}
	assert(waitpid(child, &status, 0) == child && status == 0);
}

static void take(int *ends, int closed, int silent)
{
	char c;

	start(ends, silent);
	if (closed)
		close(ends[1]);
	assert(read(ends[0], &c, 1) == 1);
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int ends[2];
	pthread_t t;

	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	take(ends, !strcmp(mode, "closed"), argc > 2);
	pthread_create(&t, NULL, set, NULL);
	int seen = value;
	pthread_join(t, NULL);
	return seen > 1;
}
