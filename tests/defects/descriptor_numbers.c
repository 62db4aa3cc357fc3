/* The numbers of descriptors decide what the program does, as in libuv. In a replay libunwind opened a pipe at the lowest free numbers, so the
 * failure did not replay.
 * check: bug kind=exit replays=3 : --
 * check: bug kind=exit replays=3 : --isolation exec --
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int fd;

static void *open_some(void *unused)
{
	int fds[2];
	if (!pipe(fds))
		fd = open("/dev/null", O_RDONLY);
	return unused;
}

int main(void)
{
	pthread_t t;
	open_some(NULL);
	for (int i = 0; i < 2; i++) {
		pthread_create(&t, NULL, open_some, NULL);
		pthread_join(t, NULL);
	}
	exit(fd); /* the status is a part of the failure */
}
