/* A program reads from a pipe what a process writes that its child has started; the child has ended. simul knew only the program's own children, and
 * reported a false deadlock. Found with dar, which uses libgpgme.
 * check: complete traces=2 : --
 * check: complete traces=2 : --isolation exec --
 * check: bug kind=deadlock : -- silent
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int value;

static void *set(void *unused)
{
	value = 1;
	return unused;
}

/* Starts a process that is no child of this one. It writes to the pipe, unless it is silent. */
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

int main(int argc, char **argv)
{
	int ends[2];
	char c;
	pthread_t t;

	(void)argv;
	assert(!pipe(ends));
	start(ends, argc > 1);
	assert(read(ends[0], &c, 1) == 1); /* this process has the writing end, too */
	pthread_create(&t, NULL, set, NULL);
	int seen = value;
	pthread_join(t, NULL);
	return seen > 1;
}
