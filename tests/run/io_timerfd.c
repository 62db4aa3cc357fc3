/* timerfd: read, poll, epoll and select wait until it expires; a thread arms it while another one waits; a disarmed one never expires. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define MS 1000000

static int shared, watching;

static double now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void arm(int fd, long first, long interval)
{
	struct itimerspec its = {{0, interval}, {0, first}};

	assert(timerfd_settime(fd, 0, &its, NULL) == 0);
}

static uint64_t count(int fd)
{
	uint64_t n;

	assert(read(fd, &n, sizeof(n)) == sizeof(n));
	return n;
}

/* In some schedules no timer is armed when it begins to wait. */
static void *waits(void *arg)
{
	struct epoll_event ev;

	assert(epoll_wait(watching, &ev, 1, -1) == 1 && ev.data.fd == shared);
	assert(count(shared) == 1);
	return NULL;
}

static void *arms(void *arg)
{
	arm(shared, 5 * MS, 0);
	return NULL;
}

static void alone(void)
{
	int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), slow = timerfd_create(CLOCK_MONOTONIC, 0), ep = epoll_create1(0);
	struct pollfd p = {.fd = fd, .events = POLLIN};
	struct epoll_event ev = {.events = EPOLLIN};
	struct itimerspec left;
	double start = now();
	uint64_t n;
	fd_set set;

	assert(read(fd, &n, sizeof(n)) == -1 && errno == EAGAIN);
	arm(slow, 20 * MS, 0);
	assert(count(slow) == 1 && now() - start >= 0.02);

	start = now();
	arm(fd, 10 * MS, 10 * MS);
	assert(poll(&p, 1, 1000) == 1 && p.revents == POLLIN && count(fd) >= 1 && now() - start >= 0.01);
	usleep(35000);
	assert(poll(&p, 1, 0) == 1 && count(fd) >= 3);
	assert(timerfd_gettime(fd, &left) == 0 && left.it_interval.tv_nsec == 10 * MS && left.it_value.tv_nsec <= 10 * MS);
	FD_ZERO(&set);
	FD_SET(fd, &set);
	assert(select(fd + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(fd, &set) && count(fd) >= 1);

	arm(fd, 0, 0);
	assert(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev) == 0 && epoll_wait(ep, &ev, 1, 100) == 0);
	arm(fd, 1, 0);
	assert(epoll_wait(ep, &ev, 1, -1) == 1);
	arm(fd, 0, 0);
	assert(poll(&p, 1, 0) == 0);
	assert(timerfd_create(-5, 0) == -1 && errno == EINVAL);
	close(ep);
	close(slow);
	close(fd);
}

int main(void)
{
	pthread_t a, b;
	struct epoll_event ev = {.events = EPOLLIN};

	shared = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	watching = epoll_create1(0);
	ev.data.fd = shared;
	assert(shared >= 0 && epoll_ctl(watching, EPOLL_CTL_ADD, shared, &ev) == 0);
	alone();
	pthread_create(&a, NULL, waits, NULL);
	pthread_create(&b, NULL, arms, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	alone();
	return 0;
}
