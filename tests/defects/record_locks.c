/* Two threads lock a part of a file, each with an open file description of its own (F_OFD_SETLKW). When one had to wait for the other, the whole
 * program waited in the kernel, and the search never ended.
 * check: complete traces=2 : --
 * check: complete traces=2 : --shuffle 5 --
 * check: complete traces=2 : --strategy source --
 * check: complete traces=2 : -- close
 * check: bug kind=exit replays=1 : -- try
 * Parts that do not overlap exclude nothing.
 * check: bug kind=assert replays=1 : -- apart
 * Two parts, which the threads lock in different orders.
 * check: bug kind=deadlock replays=1 : -- cross
 * A process that the program has started holds the lock for a time.
 * check: complete traces=2 : -- child
 * Record locks of the process do not exclude its own threads, so they are no events.
 * check: complete traces=1 : -- process
 * Both kinds exclude each other. The search does not cover all orders of them.
 * check: incomplete says=record_locks_of_the_process : -- mixed
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char name[] = "record_locks.XXXXXX";
static const char *mode = "";
static atomic_int inside;

static int is(const char *what)
{
	return !strcmp(mode, what);
}

static int lock(int fd, int cmd, int type, long from)
{
	struct flock l = {.l_type = (short)type, .l_start = type == F_UNLCK ? 0 : from, .l_len = type == F_UNLCK ? 20 : 10};

	return fcntl(fd, cmd, &l);
}

static void *run(void *arg)
{
	long second = arg != NULL, from = is("apart") || is("cross") ? 10 * second : 0;
	int fd = open(name, O_RDWR), wait = is("mixed") && second ? F_SETLKW : F_OFD_SETLKW, set = wait == F_SETLKW ? F_SETLK : F_OFD_SETLK;

	assert(fd >= 0);
	if (is("process")) {
		assert(!lockf(fd, F_LOCK, 5) && !lock(fd, F_SETLKW, F_WRLCK, 0));
		assert(!lock(fd, F_SETLK, F_UNLCK, 0));
		return NULL;
	}
	if (lock(fd, is("try") ? set : wait, F_WRLCK, from))
		exit(1);
	if (is("cross"))
		assert(!lock(fd, wait, F_WRLCK, 10 - from));
	else if (is("apart"))
		assert(!inside++);
	if (is("apart"))
		inside--;
	if (is("close"))
		close(fd);
	else
		assert(!lock(fd, set, F_UNLCK, 0));
	return NULL;
}

/* Starts a process that holds the lock until the threads wait for it. */
static pid_t hold(int fd)
{
	int ready[2];
	char c;

	assert(!pipe(ready));
	pid_t child = fork();

	if (!child) {
		fd = open(name, O_RDWR);
		assert(!lock(fd, F_OFD_SETLK, F_WRLCK, 0) && write(ready[1], "x", 1) == 1);
		usleep(500000); /* longer than it takes the threads to come to the lock, and less than simul waits */
		_exit(0);
	}
	assert(read(ready[0], &c, 1) == 1);
	close(fd);
	return child;
}

int main(int argc, char **argv)
{
	pthread_t t, u;
	int fd = mkstemp(name), status;
	pid_t child = 0;

	assert(fd >= 0);
	if (argc > 1)
		mode = argv[1];
	if (is("child"))
		child = hold(fd);
	pthread_create(&t, NULL, run, NULL);
	pthread_create(&u, NULL, run, &t);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	if (child)
		assert(waitpid(child, &status, 0) == child && !status);
	unlink(name);
	return 0;
}
