/* Descriptors with O_NONBLOCK never wait; broken pipes are reported; dup and fcntl share the file. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int fds[2], twin;

static void *writer(void *arg)
{
	assert(write(twin, "z", 1) == 1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	char c;
	int bad[2];

	signal(SIGPIPE, SIG_IGN);
	assert(pipe2(fds, O_NONBLOCK) == 0);
	twin = fcntl(fds[1], F_DUPFD_CLOEXEC, 20);
	assert(twin >= 20 && read(fds[0], &c, 1) == -1 && errno == EAGAIN);
	assert(pthread_create(&t, NULL, writer, NULL) == 0);
	ssize_t n = read(fds[0], &c, 1);
	assert((n == 1 && c == 'z') || (n == -1 && errno == EAGAIN));
	pthread_join(t, NULL);
	if (n != 1)
		assert(read(fds[0], &c, 1) == 1 && c == 'z');

	assert(pipe(bad) == 0);
	close(bad[0]);
	assert(write(bad[1], "x", 1) == -1 && errno == EPIPE);
	close(bad[1]);
	assert(write(bad[1], "x", 1) == -1 && errno == EBADF);
	return 0;
}
