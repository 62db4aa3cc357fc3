/* A thread reads from the writing end of a pipe and writes to its reading end: both calls fail at once. simul once said `deadlock`: it
 * waited until the ends were ready. The same for a read from an epoll instance.
 * check: complete traces=1 : --
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static void *use(void *arg)
{
	char byte = 'x';
	int fd[2], ep = epoll_create1(0);

	assert(!pipe(fd));
	assert(read(fd[1], &byte, 1) == -1 && errno == EBADF);
	assert(write(fd[0], &byte, 1) == -1 && errno == EBADF);
	assert(read(ep, &byte, 1) == -1 && errno == EINVAL);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, use, NULL);
	pthread_join(t, NULL);
	return 0;
}
