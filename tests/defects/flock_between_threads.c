/* Two threads lock a file by flock, each with its own descriptor. When one had to wait for the other, the whole program waited in the kernel,
 * and simul once said `hang` after more than a minute.
 * check: complete traces=2 : --
 * check: complete traces=2 : --shuffle 5 --
 * check: complete traces=2 : --strategy source --
 * Closing the descriptor releases the lock, and so does closing a stream.
 * check: complete traces=2 : -- wait close
 * check: complete traces=2 : -- wait stream
 * A lock that is tried can fail, if the other thread holds it. simul did not look for that.
 * check: bug kind=exit replays=1 : -- try
 * check: bug kind=exit replays=1 : -- try close
 * check: bug kind=exit replays=1 : -- try stream
 * Two threads with a shared lock each want to have it alone. Each loses its shared lock when it starts to wait.
 * check: complete : -- convert
 * A thread that never gives its lock back blocks the other one.
 * check: bug kind=deadlock replays=1 : -- keep
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static char name[] = "flock_between_threads.XXXXXX";
static const char *mode = "", *end = "";
static int inside;

static int is(const char *what)
{
	return !strcmp(mode, what);
}

static void *lock(void *arg)
{
	FILE *f = fopen(name, "r+");
	int fd = f ? fileno(f) : -1;

	assert(fd >= 0);
	if (is("convert"))
		assert(!flock(fd, LOCK_SH));
	if (flock(fd, LOCK_EX | (is("try") ? LOCK_NB : 0)))
		exit(1);
	if (!is("try")) { /* without these accesses nothing but the lock and its release is an event */
		assert(!inside++);
		inside--;
	}
	if (is("keep"))
		return arg;
	if (!strcmp(end, "close"))
		assert(!close(dup(fd)) && !close(fd));
	else if (!strcmp(end, "stream"))
		fclose(f);
	else
		assert(flock(fd, LOCK_UN) == 0);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t, u;
	int fd = mkstemp(name);

	assert(fd >= 0);
	if (argc > 1)
		mode = argv[1];
	if (argc > 2)
		end = argv[2];
	pthread_create(&t, NULL, lock, NULL);
	pthread_create(&u, NULL, lock, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	unlink(name);
	return 0;
}
