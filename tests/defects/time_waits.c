/* Each way to wait with a timeout, for something that another thread does immediately. With discrete time none of them times out, and several
 * deadlines pass in their order.
 * check: complete never=timed_out : --time-model discrete -- poll
 * check: complete : --time-model discrete -- select
 * check: complete : --time-model discrete -- epoll
 * check: complete : --time-model discrete -- receive
 * check: complete : --time-model discrete -- cond
 * check: complete : --time-model discrete -- mutex
 * check: complete : --time-model discrete -- sem
 * check: complete : --time-model discrete -- sigtimedwait
 * check: complete : --time-model discrete -- pause
 * check: complete : --time-model discrete -- timerfd
 * check: complete : --time-model discrete -- order
 * check: complete : --time-model discrete --isolation fork -- order
 * check: bug kind=assert replays=3 : -- poll
 * check: bug kind=assert replays=3 : -- cond
 * check: bug kind=assert replays=3 : -- sigtimedwait
 * check: bug kind=assert replays=3 : -- order
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

static int end[2];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s, locked;
static bool ready;
static atomic_int order[8], at, rings;
static const char *what;

static bool is(const char *name) { return !strcmp(what, name); }

static struct timespec in(int seconds)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += seconds;
	return t;
}

static void *other(void *main_thread)
{
	if (is("sem")) {
		sem_post(&s);
	} else if (is("cond")) {
		pthread_mutex_lock(&m);
		ready = true;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	} else if (is("mutex")) {
		pthread_mutex_lock(&m);
		sem_post(&locked);
		pthread_mutex_unlock(&m);
	} else if (is("sigtimedwait")) {
		pthread_kill(*(pthread_t *)main_thread, SIGUSR1);
	} else {
		assert(write(end[1], "x", 1) == 1);
	}
	return NULL;
}

static void wait_for_it(void)
{
	struct timespec t = in(10), span = {.tv_sec = 10};
	struct pollfd p = {.fd = end[0], .events = POLLIN};
	sigset_t usr1;
	char byte;

	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	if (is("poll")) {
		assert(poll(&p, 1, 10000) == 1);
	} else if (is("select")) {
		struct timeval tv = {.tv_sec = 10};
		fd_set set;

		FD_ZERO(&set);
		FD_SET(end[0], &set);
		assert(select(end[0] + 1, &set, NULL, NULL, &tv) == 1);
	} else if (is("epoll")) {
		struct epoll_event e = {.events = EPOLLIN};
		int fd = epoll_create1(0);

		assert(epoll_ctl(fd, EPOLL_CTL_ADD, end[0], &e) == 0 && epoll_wait(fd, &e, 1, 10000) == 1);
	} else if (is("receive")) {
		assert(read(end[0], &byte, 1) == 1);
	} else if (is("cond")) {
		pthread_mutex_lock(&m);
		while (!ready)
			assert(pthread_cond_timedwait(&c, &m, &t) == 0);
		pthread_mutex_unlock(&m);
	} else if (is("mutex")) {
		sem_wait(&locked);
		assert(pthread_mutex_timedlock(&m, &t) == 0);
		pthread_mutex_unlock(&m);
	} else if (is("sem")) {
		assert(sem_timedwait(&s, &t) == 0);
	} else if (is("sigtimedwait")) {
		assert(sigtimedwait(&usr1, NULL, &span) == SIGUSR1);
	}
}

static void *sleeper(void *n)
{
	sleep((unsigned)(long)n);
	order[at++] = (int)(long)n;
	return NULL;
}

/* Three sleeps, begun in another order. */
static void sleeps_in_order(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, sleeper, (void *)(3 - i));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(order[0] == 1 && order[1] == 2 && order[2] == 3);
}

static void ring(int sig)
{
	rings++;
}

/* An alarm after 2 s comes between the sleeps of 1 s and 3 s of another thread. */
static void *around_the_alarm(void *unused)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	sleep(1);
	assert(rings == 0);
	sleep(2);
	assert(rings == 1);
	return NULL;
}

static void alarm_in_order(void)
{
	struct sigaction a = {.sa_handler = ring};
	sigset_t all, none;
	pthread_t t;

	sigfillset(&all);
	sigemptyset(&none);
	pthread_sigmask(SIG_BLOCK, &all, NULL); /* the handler runs in sigsuspend only */
	sigaction(SIGALRM, &a, NULL);
	pthread_create(&t, NULL, around_the_alarm, NULL);
	alarm(2);
	sigsuspend(&none);
	assert(rings == 1);
	pthread_join(t, NULL);
}

static void *write_at_two(void *unused)
{
	sleep(2);
	assert(write(end[1], "x", 1) == 1);
	return NULL;
}

/* A timerfd of 1 s is ready before a byte that comes after 2 s. */
static void timerfd_in_order(void)
{
	struct itimerspec in_one = {.it_value.tv_sec = 1};
	struct pollfd p[2] = {{.fd = timerfd_create(CLOCK_MONOTONIC, 0), .events = POLLIN}, {.fd = end[0], .events = POLLIN}};
	pthread_t t;

	timerfd_settime(p[0].fd, 0, &in_one, NULL);
	pthread_create(&t, NULL, write_at_two, NULL);
	assert(poll(p, 2, 10000) == 1 && (p[0].revents & POLLIN));
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	pthread_t t, self = pthread_self();
	struct timeval tv = {.tv_sec = 10};
	sigset_t usr1;

	what = argv[1];
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	sem_init(&s, 0, 0);
	sem_init(&locked, 0, 0);
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, end) == 0);
	assert(setsockopt(end[0], SOL_SOCKET, SO_RCVTIMEO, &tv, sizeof(tv)) == 0);
	if (is("order")) {
		sleeps_in_order();
	} else if (is("pause")) {
		alarm_in_order();
	} else if (is("timerfd")) {
		timerfd_in_order();
	} else {
		pthread_create(&t, NULL, other, &self);
		wait_for_it();
		pthread_join(t, NULL);
	}
	return 0;
}
