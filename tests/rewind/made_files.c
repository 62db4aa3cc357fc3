/*
 * made_files HOW: executions make pipes, socket pairs, eventfds and epoll instances, and leave some of them open. Each must get the same numbers,
 * with nothing in the files. HOW:
 *   pipe      a thread writes to a pipe from which the other one reads   pair   the same with a socket pair
 *   eventfd   and an epoll instance that watches it                      dup    duplicates, and changes of descriptors
 *   block     a thread waits for ever in a read: a deadlock in some executions
 *   older     puts a pipe from before the threads into the epoll instance, and reads from it
 *   read      opens a file and a directory, reads, duplicates and closes one of them
 *   over      duplicates a pipe over descriptor 0: such executions are not rewound
 */
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "check.h"

static int fds[2], events, older[2];
static const char *how;

static void *body(void *arg)
{
	char byte = 'x';
	uint64_t one = 1;

	take_turns(3);
	if (!strcmp(how, "eventfd"))
		CHECK(arg ? write(events, &one, 8) == 8 : read(events, &one, 8) == 8 && one == 1);
	else if (strcmp(how, "block") || arg)
		CHECK(arg ? write(fds[1], &byte, 1) == 1 : read(fds[0], &byte, 1) == 1 && byte == 'x');
	else
		for (int i = 0; i < 2; i++)
			CHECK(read(fds[0], &byte, 1) == 1);
	return NULL;
}

static void make(void)
{
	if (!strcmp(how, "pair"))
		CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
	else
		CHECK(pipe(fds) == 0);
	CHECK(fds[0] == older[1] + 1 && fds[1] == older[1] + 2);
	events = eventfd(0, 0);
	CHECK(events == older[1] + 3);
}

static void act(void)
{
	char byte;

	if (!strcmp(how, "eventfd") || !strcmp(how, "older")) {
		struct epoll_event e = { .events = EPOLLIN | EPOLLOUT };
		int ep = epoll_create1(0), fd = strcmp(how, "older") ? events : older[0];
		CHECK(ep == older[1] + 4 && epoll_ctl(ep, EPOLL_CTL_ADD, fd, &e) == 0 && epoll_wait(ep, &e, 1, 0) == 1);
		if (fd == older[0])
			CHECK(read(fd, &byte, 1) == 1 && byte == 'o');
	} else if (!strcmp(how, "dup")) {
		int to = dup(fds[1]);
		CHECK(to == older[1] + 4 && fcntl(to, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0);
		CHECK(close(fds[1]) == 0 && read(fds[0], &byte, 1) == -1 && write(to, "y", 1) == 1 && close(to) == 0);
		CHECK(read(fds[0], &byte, 1) == 1 && byte == 'y' && read(fds[0], &byte, 1) == 0);
	} else if (!strcmp(how, "read")) {
		int fd = open("/proc/self/exe", O_RDONLY), dir = open("/", O_RDONLY | O_DIRECTORY), to;
		CHECK(fd == older[1] + 4 && dir == fd + 1 && (to = dup(fd)) == fd + 2 && open("/missing", O_RDONLY) == -1);
		CHECK(close(fd) == 0 && read(to, &byte, 1) == 1 && byte == 0x7f);
		CHECK(open("/proc/self/exe", O_RDONLY) == fd && close(to) == 0);
	} else if (!strcmp(how, "over")) {
		CHECK(dup2(fds[0], 0) == 0);
	}
	CHECK(close(fds[0]) == 0);
}

static void *all(void *arg)
{
	make();
	run_two(body);
	act();
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t t;

	how = argv[1];
	CHECK(pipe(older) == 0 && write(older[1], "o", 1) == 1);
	CHECK(pthread_create(&t, NULL, all, NULL) == 0 && pthread_join(t, NULL) == 0);
	return 0;
}
