/* A program that ignores SIGCHLD before it creates a thread. In one interleaving the kernel kills it (SIGXFSZ). The kernel then discarded the status
 * of the process, so the execution counted as passed, and the bug was not reported.
 * check: bug kind=crash replays=1 : --isolation fork --
 * check: bug kind=crash replays=1 : --isolation rewind --
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_int done;

static void *other(void *unused)
{
	atomic_store(&done, 1);
	return NULL;
}

int main(void)
{
	char name[] = "/tmp/sigchld_ignored_XXXXXX";
	struct rlimit none = { 0, 0 };
	pthread_t t;
	signal(SIGCHLD, SIG_IGN);
	int fd = mkstemp(name);
	if (fd < 0 || unlink(name) || setrlimit(RLIMIT_FSIZE, &none))
		return 2;
	pthread_create(&t, NULL, other, NULL);
	if (atomic_load(&done))
		return write(fd, "x", 1) != 1;
	pthread_join(t, NULL);
	return 0;
}
