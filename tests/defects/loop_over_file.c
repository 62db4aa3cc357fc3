/* A thread reads equal bytes from a file up to its end. It can also be stopped. simul once said `livelock`: no memory changed between the
 * iterations, so it took the loop for one that only waits to be stopped.
 * check: complete : -- r
 * check: complete : -- v
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int stop;
static char how; /* r: read, v: readv */
static int fd;

static void *loop(void *arg)
{
	char byte;
	struct iovec iov = {&byte, 1};

	while (!atomic_load(&stop)) {
		if (how == 'r' && read(fd, &byte, 1) != 1)
			break;
		if (how == 'v' && readv(fd, &iov, 1) != 1)
			break;
	}
	return arg;
}

static void *other(void *arg)
{
	atomic_store(&stop, 0);
	return arg;
}

int main(int argc, char **argv)
{
	static const char bytes[200];
	char name[] = "loop_over_file.XXXXXX";
	pthread_t t, u;

	how = argc > 1 ? argv[1][0] : 'r';
	fd = mkstemp(name);
	assert(fd >= 0 && unlink(name) == 0);
	assert(write(fd, bytes, sizeof(bytes)) == sizeof(bytes) && lseek(fd, 0, SEEK_SET) == 0);
	pthread_create(&t, NULL, loop, NULL);
	pthread_create(&u, NULL, other, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	atomic_store(&stop, 1);
	return 0;
}
