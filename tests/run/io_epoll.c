/* An event loop on epoll: a socket pair and an eventfd, served by two threads. */
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int pair[2], stop;

static void *client(void *arg)
{
	char c = 'x';

	assert(send(pair[1], &c, 1, 0) == 1);
	assert(recv(pair[1], &c, 1, 0) == 1 && c == 'y');
	assert(eventfd_write(stop, 1) == 0);
	return NULL;
}

/* Loops that are created and closed: more in all than are open at any time. */
static void loops(void)
{
	struct epoll_event ev = {.events = EPOLLIN};

	for (int i = 0; i < 1100; i++) {
		int ep = epoll_create1(0), fd = eventfd(1, 0);

		assert(ep >= 0 && fd >= 0 && epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev) == 0 && epoll_wait(ep, &ev, 1, 0) == 1);
		close(i % 2 ? fd : ep);
		close(i % 2 ? ep : fd);
	}
}

int main(void)
{
	pthread_t t;
	int ep = epoll_create1(EPOLL_CLOEXEC), stopped = 0;
	struct epoll_event ev = {.events = EPOLLIN};

	loops();
	assert(ep >= 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	stop = eventfd(0, EFD_NONBLOCK);
	ev.data.fd = pair[0];
	assert(epoll_ctl(ep, EPOLL_CTL_ADD, pair[0], &ev) == 0);
	ev.data.fd = stop;
	assert(epoll_ctl(ep, EPOLL_CTL_ADD, stop, &ev) == 0);
	assert(epoll_wait(ep, &ev, 1, 0) == 0);
	assert(pthread_create(&t, NULL, client, NULL) == 0);
	while (!stopped) {
		char c;
		eventfd_t v;

		assert(epoll_wait(ep, &ev, 1, -1) == 1);
		if (ev.data.fd == stop) {
			assert(eventfd_read(stop, &v) == 0);
			stopped = 1;
		} else {
			assert(read(pair[0], &c, 1) == 1 && c == 'x');
			c = 'y';
			assert(write(pair[0], &c, 1) == 1);
		}
	}
	pthread_join(t, NULL);
	return 0;
}
