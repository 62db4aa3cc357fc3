/* One thread listens on a Unix socket, and another thread connects to it. Both write to the connection and to a second
   one, and the program relies on the order of the bytes. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include "window.h"
#define LARGE 600000
static struct sockaddr_un name;
static socklen_t size;
static pthread_barrier_t listening;
static int line[2];

static int client(void)
{
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	assert(fd >= 0 && !connect(fd, (struct sockaddr *)&name, size));
	return fd;
}

static void *serve(void *a)
{
	static char bytes[LARGE];
	int at = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), fd;
	struct pollfd ready[3] = {{.fd = at, .events = POLLIN}};
	char c[3];

	assert(at >= 0 && !bind(at, (struct sockaddr *)&name, size) && !listen(at, 4));
	assert(!poll(ready, 1, 1));
	pthread_barrier_wait(&listening);
	assert(poll(ready, 1, -1) == 1);
	line[0] = accept(at, NULL, NULL);
	fd = accept4(at, NULL, NULL, SOCK_CLOEXEC);
	assert(line[0] >= 0 && fd >= 0);
	ready[1] = (struct pollfd){.fd = line[0], .events = POLLOUT};
	ready[2] = (struct pollfd){.fd = fd, .events = POLLIN};
	assert(poll(ready, 3, 0) == 1 && ready[1].revents == POLLOUT);
	pthread_barrier_wait(&listening);
	assert(recv(fd, bytes, LARGE, MSG_WAITALL) == LARGE && bytes[LARGE - 1] == 7);
	assert(read(fd, c, 2) == 0 && write(fd, "xyz", 3) == 3);
	assert(!close(fd) && !close(at));
	window(1);
	assert(send(line[0], "a", 1, 0) == 1);
	return a;
}

static void *use(void *a)
{
	static char bytes[LARGE];
	int fd;
	char c[4];

	pthread_barrier_wait(&listening);
	line[1] = client();
	fd = client();
	assert(connect(line[1], (struct sockaddr *)&name, size) == -1 && errno == EISCONN);
	memset(bytes, 7, LARGE);
	pthread_barrier_wait(&listening);
	assert(write(fd, bytes, LARGE) == LARGE && !shutdown(fd, SHUT_WR));
	assert(recv(fd, c, 4, MSG_WAITALL) == 3 && c[2] == 'z' && !close(fd));
	assert(write(line[0], "b", 1) == 1);
	return a;
}

int main(void)
{
	char c[2];

	/* the environment's name, so that several runs at a time do not meet */
	name.sun_family = AF_UNIX;
	size = offsetof(struct sockaddr_un, sun_path) + 1;
	size += (socklen_t)snprintf(name.sun_path + 1, sizeof(name.sun_path) - 1, "simul-connected-%d", (int)getpid());
	pthread_barrier_init(&listening, NULL, 2);
	run_two(serve, use);
	assert(recv(line[1], c, 2, MSG_WAITALL) == 2);
	assert(c[0] == 'a' && c[1] == 'b');
	return 0;
}
