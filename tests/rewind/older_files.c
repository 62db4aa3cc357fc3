/*
 * older_files HOW: executions use pipes, socket pairs, eventfds, timers and epoll instances from before the first
 * thread. Each execution must find them as they were then. HOW:
 *   pipe      reads the data in it, and closes one end
 *   pair      the same with a socket pair, which is then shut down
 *   eventfd   reads the counter
 *   timer     sets it, and waits
 *   epoll     changes what it watches, and uses up an event that it reports once
 *   flags     changes flags of descriptors, and does nothing else with these files
 *   dup       duplicates a descriptor, and closes the original
 *   close     closes all of them; files that are opened then have their numbers
 *   over      duplicates a pipe over another descriptor: such executions are not rewound
 *   device    also opens a device: such executions are not rewound
 *   outside   also asks for a pipe that other processes have: such executions are not rewound
 */
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>

#include "check.h"

static int device, fds[2], pair[2], copy, high, events, timer, ep, outside = -1;
static const char *how;

static bool is(const char *name)
{
	return !strcmp(how, name);
}

static void *body(void *arg)
{
	uint64_t one = 1;

	take_turns(is("flags") ? 3 : 2);
	CHECK(is("flags") || write(events, &one, 8) == 8);
	return arg;
}

static void use_pipe(int in, int out, char first)
{
	char byte;

	CHECK(read(in, &byte, 1) == 1 && byte == first && write(out, "n", 1) == 1 && write(out, "left", 4) == 4);
	CHECK(read(in, &byte, 1) == 1 && byte == 'n');
}

static void watch(void)
{
	struct epoll_event e, add = { .events = EPOLLOUT };

	CHECK(epoll_wait(ep, &e, 1, 0) == 1 && e.data.fd == fds[0]); /* EPOLLONESHOT */
	CHECK(epoll_wait(ep, &e, 1, 0) == 0);
	CHECK(epoll_ctl(ep, EPOLL_CTL_DEL, fds[0], NULL) == 0 && epoll_ctl(ep, EPOLL_CTL_ADD, fds[1], &add) == 0);
	CHECK(epoll_wait(ep, &e, 1, 0) == 1);
}

static void change_flags(void)
{
	CHECK(!(fcntl(fds[0], F_GETFL) & O_NONBLOCK) && fcntl(fds[0], F_SETFL, O_NONBLOCK) == 0);
	CHECK(fcntl(fds[0], F_GETFD) == 0 && fcntl(fds[0], F_SETFD, FD_CLOEXEC) == 0);
	CHECK(fcntl(fds[1], F_GETFD) == FD_CLOEXEC && fcntl(fds[1], F_SETFD, 0) == 0);
	CHECK(fcntl(copy, F_GETFD) == 0);
}

static void duplicate(void)
{
	int more = dup(fds[1]);

	CHECK(more > 0 && close(fds[1]) == 0 && close(copy) == 0 && fcntl(more, F_SETFL, O_NONBLOCK) == 0);
	use_pipe(fds[0], more, 'o');
}

static void close_all(void)
{
	const int all[] = { fds[0], fds[1], pair[0], pair[1], copy, high, events, timer, ep };
	int new[2];

	for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		CHECK(close(all[i]) == 0);
	CHECK(pipe(new) == 0 && new[0] == ep && new[1] == fds[0] && write(new[1], "w", 1) == 1);
	CHECK(open("/", O_RDONLY | O_DIRECTORY) == fds[1] && epoll_create1(0) == pair[0]);
}

static void act(void)
{
	struct itimerspec soon = { .it_value = { .tv_nsec = 1000 } };
	struct pollfd other = { .fd = outside, .events = POLLIN };
	struct stat st;
	uint64_t n;

	CHECK(fstat(device, &st) == 0 && S_ISCHR(st.st_mode)); /* not made again */
	if (is("pipe")) {
		use_pipe(fds[0], fds[1], 'o');
		CHECK(close(fds[0]) == 0);
	} else if (is("pair")) {
		use_pipe(pair[0], pair[1], 'p');
		CHECK(shutdown(pair[1], SHUT_WR) == 0);
	} else if (is("eventfd") || is("device") || is("outside")) {
		CHECK(read(events, &n, 8) == 8 && n == 5);
		CHECK(!is("device") || open("/dev/null", O_RDONLY) > 0);
		CHECK(!is("outside") || poll(&other, 1, 0) == 0);
	} else if (is("timer")) {
		CHECK(timerfd_settime(timer, 0, &soon, NULL) == 0 && read(timer, &n, 8) == 8 && n == 1);
		CHECK(timerfd_settime(timer, 0, &soon, NULL) == 0);
	} else if (is("epoll")) {
		watch();
	} else if (is("flags")) {
		change_flags();
	} else if (is("dup")) {
		duplicate();
	} else if (is("over")) {
		CHECK(dup2(fds[0], pair[0]) == pair[0]);
	} else if (is("close")) {
		close_all();
	}
}

static void *all(void *arg)
{
	run_two(body);
	act();
	return arg;
}

int main(int argc, char **argv)
{
	struct epoll_event once = { .events = EPOLLIN | EPOLLONESHOT }, closed = { .events = EPOLLOUT };
	pthread_t t;
	char byte;

	how = argv[1];
	device = open("/dev/urandom", O_RDONLY);
	CHECK(read(device, &byte, 1) == 1);
	ep = epoll_create1(0);
	CHECK(ep > 0 && pipe(fds) == 0 && epoll_ctl(ep, EPOLL_CTL_ADD, fds[1], &closed) == 0);
	CHECK(close(fds[0]) == 0 && close(fds[1]) == 0); /* nothing is watched any more */
	CHECK(pipe(fds) == 0 && fcntl(fds[1], F_SETFD, FD_CLOEXEC) == 0 && write(fds[1], "o", 1) == 1);
	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0 && write(pair[1], "p", 1) == 1);
	copy = dup(fds[1]);
	high = fcntl(copy, F_DUPFD, 900);
	events = eventfd(3, 0);
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	once.data.fd = fds[0];
	CHECK(copy > 0 && high >= 900 && events > 0 && timer > 0);
	CHECK(epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &once) == 0);
	if (is("outside")) {
		CHECK(mkfifo("outside", 0600) == 0 && (outside = open("outside", O_RDWR)) > 0);
		CHECK(unlink("outside") == 0);
	}
	CHECK(pthread_create(&t, NULL, all, NULL) == 0 && pthread_join(t, NULL) == 0);
	return 0;
}
