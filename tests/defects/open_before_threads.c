/* What the program did to descriptors before its first thread holds in every execution: the size of a pipe and of a socket's buffer, a shut down
 * direction of a socket pair, the place in a directory. Executions that were forked or rewound had pipes and sockets of the usual size, and the
 * second one found the directory at its end.
 * check: bug kind=deadlock : -- pipe
 * check: bug kind=deadlock : -- buffer
 * check: complete : -- shutdown
 * check: complete traces=2 : -- directory
 * check: complete traces=2 : --isolation fork -- directory
 */
#include <assert.h>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int fd[2], turn;
static char bytes[200000];

static void *write_much(void *size)
{
	ssize_t n = write(fd[1], bytes, *(size_t *)size);

	assert(n == (ssize_t)*(size_t *)size); /* no thread reads */
	return NULL;
}

static void *read_end(void *unused)
{
	ssize_t n = read(fd[0], bytes, 1);

	assert(n == 0);
	return unused;
}

static void *take_turn(void *unused)
{
	__atomic_store_n(&turn, 1, __ATOMIC_SEQ_CST);
	return unused;
}

int main(int argc, char **argv)
{
	int small = 4096;
	size_t size = 10000;
	DIR *dir = opendir("/");
	pthread_t t;

	(void)argc;
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, fd));
	if (!strcmp(argv[1], "pipe")) {
		assert(!pipe(fd) && fcntl(fd[0], F_SETPIPE_SZ, small) == small);
		pthread_create(&t, NULL, write_much, &size);
	} else if (!strcmp(argv[1], "buffer")) {
		size = 100000;
		assert(!setsockopt(fd[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof(small)));
		pthread_create(&t, NULL, write_much, &size);
	} else if (!strcmp(argv[1], "shutdown")) {
		assert(!shutdown(fd[1], SHUT_WR));
		pthread_create(&t, NULL, read_end, NULL);
	} else {
		pthread_create(&t, NULL, take_turn, NULL);
		__atomic_load_n(&turn, __ATOMIC_SEQ_CST);
		assert(readdir(dir));
		while (readdir(dir))
			;
	}
	pthread_join(t, NULL);
	return 0;
}
