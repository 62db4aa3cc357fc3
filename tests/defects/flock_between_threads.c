/* Two threads lock a file by flock, each with its own descriptor. When one had to wait for the other, the whole program waited in the kernel,
 * and simul once said `hang` after more than a minute.
 * check: refused says=flock : --
 * A lock that is tried can fail, if the other thread holds it. simul did not look for that.
 * check: bug kind=exit replays=1 : -- try
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

static char name[] = "flock_between_threads.XXXXXX";
static int how = LOCK_EX;

static void *lock(void *arg)
{
	int fd = open(name, O_RDWR);

	assert(fd >= 0);
	if (flock(fd, how))
		exit(1);
	assert(flock(fd, LOCK_UN) == 0);
	close(fd);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t, u;
	int fd = mkstemp(name);

	assert(fd >= 0);
	if (argc > 1)
		how = LOCK_EX | LOCK_NB;
	pthread_create(&t, NULL, lock, NULL);
	pthread_create(&u, NULL, lock, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	unlink(name);
	return 0;
}
