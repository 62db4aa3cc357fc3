/* Waiting with a timeout takes at least that long on the clock; a second thread sleeps meanwhile. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int fds[2];

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void *sleeper(void *arg)
{
	usleep(1000);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int pair[2];
	char c;

	assert(pipe(fds) == 0 && socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	assert(pthread_create(&t, NULL, sleeper, NULL) == 0);
	double start = now();
	struct pollfd p = {.fd = fds[0], .events = POLLIN};
	assert(poll(&p, 1, 100) == 0 && now() - start >= 0.1);

	start = now();
	fd_set set;
	FD_ZERO(&set);
	FD_SET(fds[0], &set);
	struct timeval tv = {.tv_usec = 50000};
	assert(select(fds[0] + 1, &set, NULL, NULL, &tv) == 0 && !FD_ISSET(fds[0], &set));
	assert(now() - start >= 0.05 && tv.tv_sec == 0 && tv.tv_usec == 0);

	start = now();
	assert(poll(NULL, 0, 30) == 0 && now() - start >= 0.03);

	start = now();
	struct timeval limit = {.tv_usec = 40000};
	assert(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0);
	assert(recv(pair[0], &c, 1, 0) == -1 && errno == EAGAIN && now() - start >= 0.04);
	pthread_join(t, NULL);
	return 0;
}
