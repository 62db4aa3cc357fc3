/* What the program did to descriptors before it created a thread must hold in every execution: the size of a pipe and of a socket's buffer, options
 * and shut-down directions of a socket pair, the position in a directory, events that epoll has reported, flags and locks of a file. Executions that
 * were forked or rewound had pipes and sockets with default settings, and epoll reported all events again. The second execution found the directory
 * at its end, and the flags and the lock of the first one.
 * check: bug kind=deadlock : -- pipe
 * check: bug kind=deadlock : -- buffer
 * check: complete : -- shutdown
 * check: complete traces=2 : -- directory
 * check: complete traces=2 : --isolation fork -- directory
 * check: complete traces=2 : -- flags
 * check: complete traces=2 : -- lock
 * check: complete traces=2 : -- ofd_lock
 * check: complete traces=2 : -- credentials
 * check: complete traces=2 : -- oneshot
 */
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
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

static int file, other, epoll;
static DIR *dir;
static struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT};

static void open_all(const char *program)
{
	int one = 1;

	dir = opendir("/");
	file = open(program, O_RDONLY);
	other = open(program, O_RDONLY);
	epoll = epoll_create1(0);
	assert(dir && file >= 0 && other >= 0 && epoll >= 0);
	assert(!setsockopt(fd[0], SOL_SOCKET, SO_PASSCRED, &one, sizeof(one)));
	assert(write(fd[1], "x", 1) == 1);
	assert(!epoll_ctl(epoll, EPOLL_CTL_ADD, fd[0], &event));
	assert(epoll_wait(epoll, &event, 1, 0) == 1);
}

/* Looks at what open_all has left, and changes it. */
static void use(const char *what)
{
	struct flock whole = {.l_type = F_WRLCK};
	socklen_t len = sizeof(int);
	int on = 0;

	if (!strcmp(what, "directory")) {
		assert(readdir(dir));
		while (readdir(dir))
			;
	} else if (!strcmp(what, "flags")) {
		assert(!(fcntl(file, F_GETFL) & O_APPEND));
		assert(!fcntl(file, F_SETFL, O_APPEND));
	} else if (!strcmp(what, "lock")) {
		assert(!flock(other, LOCK_EX | LOCK_NB) && flock(file, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK);
		assert(!flock(other, LOCK_UN) && !flock(file, LOCK_EX));
	} else if (!strcmp(what, "ofd_lock")) {
		assert(!fcntl(other, F_OFD_GETLK, &whole) && whole.l_type == F_UNLCK);
		whole.l_type = F_RDLCK;
		assert(!fcntl(file, F_OFD_SETLK, &whole));
		whole.l_type = F_WRLCK;
		assert(!fcntl(other, F_OFD_GETLK, &whole) && whole.l_type == F_RDLCK);
	} else if (!strcmp(what, "credentials")) {
		assert(!getsockopt(fd[0], SOL_SOCKET, SO_PASSCRED, &on, &len) && on);
	} else {
		assert(epoll_wait(epoll, &event, 1, 0) == 0);
	}
}

int main(int argc, char **argv)
{
	int small = 4096;
	size_t size = 10000;
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
		open_all(argv[0]);
		pthread_create(&t, NULL, take_turn, NULL);
		__atomic_load_n(&turn, __ATOMIC_SEQ_CST);
		use(argv[1]);
	}
	pthread_join(t, NULL);
	return 0;
}
