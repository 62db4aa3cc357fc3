/* read and write wait at a socket no longer than SO_RCVTIMEO and SO_SNDTIMEO. simul once used these for recv and send only, and reported a deadlock
 * when no other thread writes or reads.
 * check: complete : -- read
 * check: complete : -- readv
 * check: complete : -- write
 * check: complete : -- writev
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

static int fd[2];
static char bytes[1 << 20];
static const char *what;

static void *run(void *unused)
{
	struct iovec v = {.iov_base = bytes, .iov_len = what[0] == 'r' ? 1 : 100};
	ssize_t n = 1;

	if (!strcmp(what, "read"))
		n = read(fd[0], bytes, 1);
	else if (!strcmp(what, "readv"))
		n = readv(fd[0], &v, 1);
	while (what[0] == 'w' && n > 0) /* until the buffer is full */
		n = what[5] ? writev(fd[0], &v, 1) : write(fd[0], bytes, sizeof(bytes));
	assert(n == -1 && errno == EAGAIN);
	return unused;
}

int main(int argc, char **argv)
{
	struct timeval second = {.tv_sec = 1};
	int small = 4096;
	pthread_t t;

	(void)argc;
	what = argv[1];
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	assert(!setsockopt(fd[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small)));
	assert(!setsockopt(fd[0], SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second)));
	assert(!setsockopt(fd[0], SOL_SOCKET, SO_SNDTIMEO, &second, sizeof(second)));
	pthread_create(&t, NULL, run, NULL);
	pthread_join(t, NULL);
	return 0;
}
