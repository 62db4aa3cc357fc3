/* Two threads wait for pipes, eventfds and socket pairs by poll and select, and the program relies on what two of the
   polls find: one must come before a read, the other one after a write. Before that the threads wait in all ways that a
   certificate orders. N=3: the polls that matter watch three files. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include "window.h"
#ifndef N
#define N 1
#endif
static int counter, asked[2], answer[2], line[2], done[2];

static int ready(int fd, short events, int ms)
{
	struct pollfd p = {.fd = fd, .events = events};
	int n = poll(&p, 1, ms);

	return n == 1 ? p.revents : n;
}

static int selected(int a, int b, struct timeval *limit)
{
	const struct timespec half = {0, 500000};
	fd_set in, out;

	FD_ZERO(&in);
	FD_SET(a, &in);
	FD_ZERO(&out);
	if (b >= 0)
		FD_SET(b, &out);
	int n = limit ? select(FD_SETSIZE, &in, &out, NULL, limit) : pselect(100, &in, NULL, NULL, &half, NULL);

	assert(n < 0 || n == FD_ISSET(a, &in) + (limit && b >= 0 && FD_ISSET(b, &out)));
	return n;
}

/* Each thread makes files of its own, while the other one does the same. */
static void alone(void)
{
	const struct timespec half = {0, 500000};
	struct timeval limit = {0, 500};
	struct pollfd both[3] = {{.events = POLLIN}, {.fd = -1, .events = POLLIN}, {.events = POLLOUT}};
	int end[2], pair[2];

	assert(!pipe2(end, O_CLOEXEC) && !socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
	assert(!ready(end[0], POLLIN, 0) && !ready(end[0], POLLIN, 1) && ready(end[1], POLLOUT, -1) == POLLOUT);
	assert(!selected(pair[0], -1, NULL) && selected(pair[0], end[1], &limit) == 1 && limit.tv_usec);
	assert(!selected(pair[0], -1, &limit) && !limit.tv_usec);
	both[0].fd = pair[0];
	both[2].fd = pair[1];
	assert(ppoll(both, 3, &half, NULL) == 1 && !both[0].revents && both[2].revents == POLLOUT);
	both[2].fd = end[0];
	both[2].events = POLLIN;
	assert(!ppoll(both, 3, &half, NULL) && poll(both, 1, 0) == 0);
	assert(!close(end[1]) && ready(end[0], POLLIN, -1) == POLLHUP && poll(both, 3, -1) == 1);
	assert(write(pair[1], "x", 1) == 1 && poll(both, 3, 1000000) == 2 && both[0].revents == POLLIN);
	assert(!close(end[0]) && !close(pair[0]) && !close(pair[1]));
}

/* From here on the certificate knows the files, so that no event waits for those of files that it does not know. */
static void use(void)
{
	uint64_t n;

	assert(ready(done[1], POLLOUT, -1) == POLLOUT && ready(answer[1], POLLOUT, -1) == POLLOUT);
	assert(ready(line[0], POLLIN, -1) == POLLIN && ready(asked[1], POLLOUT, -1) == POLLOUT);
	assert(ready(counter, POLLIN, -1) == POLLIN && read(counter, &n, sizeof(n)) == sizeof(n) && n == 3);
}

static void *one(void *a)
{
	struct pollfd three[3] = {{asked[0], POLLIN, 0}, {counter, POLLIN, 0}, {line[0], 0, 0}};

	alone();
	assert(poll(three, N > 2 ? 3 : 2, -1) == 1 && !three[0].revents && three[1].revents == POLLIN);
	use();
	assert(!poll(three, N > 2 ? 3 : 2, 1) && !poll(three, N > 2 ? 3 : 2, 0));
	assert(write(answer[1], "y", 1) == 1);
	three[0] = (struct pollfd){.fd = line[0], .events = POLLIN};
	three[2].fd = asked[0];
	window(1);
	assert(poll(three, N, 1) == 1 && three[0].revents == POLLIN);
	window(1);
	assert(write(done[1], "a", 1) == 1);
	return a;
}

static void *two(void *a)
{
	struct pollfd three[3] = {{.events = POLLIN}, {.fd = asked[0], .events = POLLIN}, {.fd = counter}};
	const uint64_t n = 3;
	fd_set in;
	char c;

	alone();
	assert(write(counter, &n, sizeof(n)) == sizeof(n));
	FD_ZERO(&in);
	FD_SET(answer[0], &in);
	assert(select(answer[0] + 1, &in, NULL, NULL, NULL) == 1 && FD_ISSET(answer[0], &in));
	assert(read(line[0], &c, 1) == 1);
	three[0].fd = done[0];
	assert(poll(three, N, 0) == 1 && three[0].revents == POLLIN);
	return a;
}

int main(void)
{
	counter = eventfd(0, 0);
	assert(counter >= 0 && !pipe(asked) && !pipe(answer) && !pipe(line));
	assert(!socketpair(AF_UNIX, SOCK_STREAM, 0, done) && write(line[1], "b", 1) == 1);
	return run_two(one, two);
}
