/* Connections that no certificate orders yet. argv[1]: tcp; u: datagrams; early: a socket from before the first
   thread; poll (of a timer, too); i: a timeout of the socket; full: a full queue of connections; rights: a message
   with descriptors; d: dup2; k: fork; other: another process listens; accept: another process connects, and then
   makes the file argv[3]. Connections that a certificate orders: n: the socket is a file; b: no call waits; w: neither.
   argv[2]: the name. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include "window.h"
static union {
	struct sockaddr any;
	struct sockaddr_un un;
	struct sockaddr_in in;
} name;
static socklen_t size;
static pthread_barrier_t listening;
static char what;
static const char *file;
static int early = -1;

static int new_socket(void)
{
	return socket(name.any.sa_family, SOCK_STREAM | (what == 'b' ? SOCK_NONBLOCK : 0), 0);
}

static int listener(void)
{
	int at = new_socket();

	if (what == 'n')
		unlink(name.un.sun_path);
	if (file)
		unlink(file);
	assert(at >= 0 && !bind(at, &name.any, size) && !listen(at, what == 'f' ? 0 : 4));
	if (what == 't') /* the kernel chooses the port */
		assert(!getsockname(at, &name.any, &size));
	return at;
}

static void *serve(void *a)
{
	struct timeval second = {.tv_sec = 1};
	int at = early, fd;
	char c;

	if (what != 'e' && what != 'o')
		at = listener();
	if (what == 'b')
		assert(accept(at, NULL, NULL) == -1 && errno == EAGAIN);
	if (what == 'i')
		assert(!setsockopt(at, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof(second)));
	pthread_barrier_wait(&listening);
	if (what == 'o') {
		assert(!connect(new_socket(), &name.any, size));
		return a;
	}
	if (what == 'b')
		pthread_barrier_wait(&listening);
	while (file && access(file, F_OK))
		;
	fd = accept(at, NULL, NULL);
	assert(fd >= 0);
	if (what == 'f')
		assert(accept(at, NULL, NULL) >= 0);
	assert(read(fd, &c, 1) == 1);
	assert(!close(fd) && !close(at));
	if (what == 'n')
		unlink(name.un.sun_path);
	return a;
}

static void rights(int fd)
{
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.head = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
	struct iovec one = {"r", 1};
	struct msghdr m = {.msg_iov = &one, .msg_iovlen = 1, .msg_control = &control};

	m.msg_controllen = sizeof(control);
	memcpy(CMSG_DATA(&control.head), &fd, sizeof(fd));
	assert(sendmsg(fd, &m, 0) == 1);
}

static void *use(void *a)
{
	struct pollfd ready[2] = {{.events = POLLOUT}};
	int fd;

	pthread_barrier_wait(&listening);
	window(1);
	fd = new_socket();
	assert(fd >= 0 && !connect(fd, &name.any, size));
	if (what == 'f')
		assert(!connect(new_socket(), &name.any, size));
	if (what == 'u')
		assert(socket(AF_UNIX, SOCK_DGRAM, 0) >= 0);
	ready[0].fd = fd;
	ready[1].fd = what == 'p' ? timerfd_create(CLOCK_MONOTONIC, 0) : -1;
	if (what == 'p')
		assert(poll(ready, 2, 0) == 1);
	if (what == 'r')
		rights(fd);
	else
		assert(write(fd, "x", 1) == 1);
	if (what == 'd')
		assert(dup2(new_socket(), fd) == fd);
	if (what == 'b')
		pthread_barrier_wait(&listening);
	close(fd);
	return a;
}

int main(int argc, char **argv)
{
	what = argv[1][0];
	file = argv[3];
	if (what == 't') {
		name.in = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
		size = sizeof(name.in);
	} else {
		name.un.sun_family = AF_UNIX;
		strcpy(name.un.sun_path + (what != 'n'), argv[2]);
		size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(argv[2]) + 1);
	}
	if (what == 'e')
		early = listener();
	if (what == 'k') {
		if (!fork())
			_exit(0);
		wait(NULL);
	}
	pthread_barrier_init(&listening, NULL, 2);
	return run_two(serve, use);
}
