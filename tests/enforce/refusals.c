/* Threads depend on an operation that no prefix may have. argv[1]: read, poll (of datagrams), l: close, d: dup2, n:
   O_NONBLOCK, m: write and then a poll behind (mt: with a timer; mf: with a regular file; mm: with a mask of signals;
   ms: by syscall(); me: epoll), h: fork and write, k: datagrams, o: sendmsg, signal, g: a signal
   to the process, cancel, f: system, alarm, buffer (of a read), y: write, and write by syscall(). With a signal to a
   thread that waits for a lock: j: siglongjmp, e: pthread_exit, t: shared memory on its stack, and then i: it blocks
   the signal, v: it raises it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include "window.h"
static char what;
static int end[2], pair[2];
static char shared;
static pthread_t worker;
static sigset_t set;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static sigjmp_buf away;
static sem_t done;
static volatile int *shown;

static void handler(int signal)
{
	if (what == 't')
		assert(*shown);
	sem_post(&done);
	if (what == 'j')
		siglongjmp(away, 1);
	if (what == 'e')
		pthread_exit(NULL);
}

static void work_and_handle(void)
{
	volatile int own = 1;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	shown = &own;
	sem_post(&done);
	if (!sigsetjmp(away, 1))
		pthread_mutex_lock(&lock);
	if (what == 'j')
		pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	if (what == 'i')
		pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (what == 'v')
		raise(SIGUSR1);
}

static void *use_lock(void *a)
{
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return a;
}

/* A later choice makes all that comes before part of the prefix. */
static void send_and_contend(void)
{
	pthread_t other;

	assert(!sem_wait(&done) && !pthread_kill(worker, SIGUSR1));
	if (what == 't')
		*shown = 2;
	sem_wait(&done);
	pthread_mutex_unlock(&lock);
	pthread_join(worker, NULL);
	pthread_create(&other, NULL, use_lock, NULL);
	use_lock(NULL);
	pthread_join(other, NULL);
}

static void poll_behind(char how, const char *program)
{
	struct pollfd p[2] = {{.fd = end[1], .events = POLLOUT}, {.fd = -1}};
	struct epoll_event event = {.events = EPOLLOUT};
	int ep;

	if (how == 't')
		p[1].fd = timerfd_create(CLOCK_MONOTONIC, 0);
	if (how == 'f')
		p[1].fd = open(program, O_RDONLY);
	if (how == 't' || how == 'f')
		assert(poll(p, 2, 1) == 1);
	if (how == 'm')
		assert(ppoll(p, 1, NULL, &set) == 1);
	if (how == 's')
		assert(syscall(SYS_poll, p, 1, 1) == 1);
	if (how == 'e') {
		ep = epoll_create1(0);
		assert(!epoll_ctl(ep, EPOLL_CTL_ADD, end[1], &event));
		assert(epoll_wait(ep, &event, 1, -1) == 1);
	}
}

static void *work(void *a)
{
	int number;
	char c;

	if (what == 'r')
		assert(read(end[0], &c, 1) == 1);
	if (what == 'b')
		assert(write(end[1], "x", 1) == 1), shared = 1;
	if (strchr("jetiv", what))
		work_and_handle();
	if (what == 's')
		pause(); /* until the signal comes */
	if (what == 'c')
		pthread_testcancel();
	if (what == 'g')
		assert(!sigwait(&set, &number) && number == SIGUSR2);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return a;
}

int main(int argc, char **argv)
{
	struct pollfd ready;
	char c;

	what = argv[1][0];
	assert(!pipe(end));
	signal(SIGALRM, handler);
	signal(SIGUSR1, handler);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (what == 'r')
		assert(write(end[1], "x", 1) == 1);
	assert(!socketpair(AF_UNIX, what == 'o' ? SOCK_STREAM : SOCK_DGRAM, 0, pair));
	ready = (struct pollfd){.fd = pair[1], .events = POLLOUT};
	if (what == 'h') {
		if (!fork())
			_exit(0);
		wait(NULL);
	}
	sem_init(&done, 0, 0);
	if (strchr("jetiv", what)) {
		pthread_mutex_lock(&lock);
		pthread_create(&worker, NULL, work, NULL);
		send_and_contend();
		return 0;
	}
	pthread_create(&worker, NULL, work, NULL);
	if (what == 'p')
		assert(poll(&ready, 1, 0) == 1);
	if (what == 'd')
		assert(dup2(end[0], end[1]) == end[1]);
	if (what == 'n')
		assert(!fcntl(end[0], F_SETFL, O_NONBLOCK) && read(end[0], &c, 1) == -1);
	if (what == 'h')
		assert(write(end[1], "y", 1) == 1);
	if (what == 'k')
		assert(write(pair[1], "z", 1) == 1);
	if (what == 'o')
		assert(!sendmsg(pair[1], &(struct msghdr){0}, 0));
	if (what == 'm' || what == 'y')
		assert(write(end[1], "m", 1) == 1);
	if (what == 'l')
		assert(!close_range((unsigned)end[0], (unsigned)end[0], 0));
	if (what == 's')
		assert(!pthread_kill(worker, SIGUSR1));
	if (what == 'g')
		assert(!kill(getpid(), SIGUSR2));
	if (what == 'c')
		pthread_cancel(worker);
	if (what == 'f')
		assert(system("exit 3") != -1);
	if (what == 'b')
		assert(read(end[0], &shared, 1) == 1);
	if (what == 'a') {
		alarm(1);
		pause();
	}
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	pthread_join(worker, NULL);
	if (what == 'm')
		poll_behind(argv[1][1], argv[0]);
	if (what == 'y')
		assert(syscall(SYS_write, end[1], "y", 1) == 1);
	return 0;
}
