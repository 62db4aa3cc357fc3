/*
 * A signal handler interrupts a call that waits. Arguments: the name of a call, and `restart` (the handler has SA_RESTART) or `plain`.
 * Exit status 7: the call failed with EINTR (sleep: returned early); 0: it did not. With a third argument, for a native run, the signal
 * comes when the call waits. Without arguments: prints the names of all calls.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static int word, fds[2], pair[2], listener, event, ep;
static sem_t sem;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static struct timespec second = { 1, 0 };
static char byte;

static const struct timespec *later(clockid_t clock)
{
	static struct timespec t;
	clock_gettime(clock, &t);
	t.tv_sec++;
	return &t;
}

static long futex(int command, long value, const void *timeout, unsigned bits)
{
	return syscall(SYS_futex, &word, command, value, timeout, NULL, bits);
}

/* error(E) is for calls that return an errno value. */
static long error(int e)
{
	errno = e;
	return e ? -1 : 0;
}

static long locked(int r)
{
	if (!r)
		pthread_mutex_unlock(&mutex);
	return error(r);
}

static sigset_t other;
static struct pollfd readable(void)
{
	return (struct pollfd){ .fd = fds[0], .events = POLLIN };
}
static fd_set *selected(void)
{
	static fd_set s;
	FD_ZERO(&s);
	FD_SET(fds[0], &s);
	return &s;
}
static void set_timeout(int option)
{
	struct timeval tv = { 1, 0 };
	setsockopt(pair[0], SOL_SOCKET, option, &tv, sizeof tv);
}
static long wait_cond(int timed)
{
	pthread_mutex_lock(&mutex);
	int r = 0;
	while (!word && !r)
		r = timed ? pthread_cond_timedwait(&cond, &mutex, later(CLOCK_REALTIME)) : pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	return error(r);
}
static long nap(long left)
{
	return error(left ? EINTR : 0);
}

/* CALL(name, expression): fails with EINTR or not. */
#define CALLS \
	CALL(futex_wait, futex(FUTEX_WAIT_PRIVATE, 0, NULL, 0)) \
	CALL(futex_wait_timed, futex(FUTEX_WAIT_PRIVATE, 0, &second, 0)) \
	CALL(futex_bits, futex(FUTEX_WAIT_BITSET_PRIVATE, 0, NULL, 1)) \
	CALL(futex_bits_timed, futex(FUTEX_WAIT_BITSET_PRIVATE, 0, later(CLOCK_MONOTONIC), 1)) \
	CALL(nanosleep, nanosleep(&second, NULL)) \
	CALL(clock_nanosleep, error(clock_nanosleep(CLOCK_MONOTONIC, 0, &second, NULL))) \
	CALL(clock_nanosleep_until, error(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, later(CLOCK_MONOTONIC), NULL))) \
	CALL(thrd_sleep, thrd_sleep(&second, NULL) == -1 ? error(EINTR) : 0) \
	CALL(usleep, usleep(900000)) \
	CALL(sleep, nap(sleep(2))) \
	CALL(poll, ({ struct pollfd p = readable(); poll(&p, 1, -1); })) \
	CALL(poll_timed, ({ struct pollfd p = readable(); poll(&p, 1, 1000); })) \
	CALL(ppoll, ({ struct pollfd p = readable(); ppoll(&p, 1, NULL, &other); })) \
	CALL(select, select(fds[0] + 1, selected(), NULL, NULL, NULL)) \
	CALL(select_timed, ({ struct timeval tv = { 1, 0 }; select(fds[0] + 1, selected(), NULL, NULL, &tv); })) \
	CALL(pselect, pselect(fds[0] + 1, selected(), NULL, NULL, NULL, &other)) \
	CALL(epoll_wait, ({ struct epoll_event e; epoll_wait(ep, &e, 1, -1); })) \
	CALL(epoll_wait_timed, ({ struct epoll_event e; epoll_wait(ep, &e, 1, 1000); })) \
	CALL(epoll_pwait, ({ struct epoll_event e; epoll_pwait(ep, &e, 1, -1, &other); })) \
	CALL(sigwait, ({ int s; error(sigwait(&other, &s)); })) \
	CALL(sigwaitinfo, sigwaitinfo(&other, NULL)) \
	CALL(sigtimedwait, sigtimedwait(&other, NULL, &second)) \
	CALL(pause, pause()) \
	CALL(sigsuspend, sigsuspend(&other)) \
	CALL(sem_wait, sem_wait(&sem)) \
	CALL(sem_timedwait, sem_timedwait(&sem, later(CLOCK_REALTIME))) \
	CALL(sem_clockwait, sem_clockwait(&sem, CLOCK_MONOTONIC, later(CLOCK_MONOTONIC))) \
	CALL(mutex_lock, locked(pthread_mutex_lock(&mutex))) \
	CALL(mutex_timedlock, locked(pthread_mutex_timedlock(&mutex, later(CLOCK_REALTIME)))) \
	CALL(cond_wait, wait_cond(0)) \
	CALL(cond_timedwait, wait_cond(1)) \
	CALL(read_pipe, read(fds[0], &byte, 1)) \
	CALL(read_eventfd, ({ eventfd_t v; read(event, &v, sizeof v); })) \
	CALL(read_socket, read(pair[0], &byte, 1)) \
	CALL(read_socket_timed, (set_timeout(SO_RCVTIMEO), read(pair[0], &byte, 1))) \
	CALL(recv, recv(pair[0], &byte, 1, 0)) \
	CALL(recv_timed, (set_timeout(SO_RCVTIMEO), recv(pair[0], &byte, 1, 0))) \
	CALL(recvmsg_timed, (set_timeout(SO_RCVTIMEO), ({ struct iovec v = { &byte, 1 }; struct msghdr m = { .msg_iov = &v, .msg_iovlen = 1 }; recvmsg(pair[0], &m, 0); }))) \
	CALL(accept, accept(listener, NULL, NULL)) \
	CALL(wait, wait(NULL)) \
	CALL(waitpid, waitpid(-1, NULL, 0)) \
	CALL(waitid, ({ siginfo_t i; waitid(P_ALL, 0, &i, WEXITED); }))

#define CALL(name, expression) static long call_##name(void) { return expression; }
CALLS
#undef CALL
#define CALL(name, expression) { #name, call_##name },
static const struct {
	const char *name;
	long (*function)(void);
} calls[] = { CALLS };

/* Makes what the call needs, and nothing else: simul's verdict on a program with sockets from before the first thread is not "complete". */
static void prepare(const char *name)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct epoll_event e = { .events = EPOLLIN };
	sigemptyset(&other);
	sigaddset(&other, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &other, NULL);
	(void)!pipe(fds);
	if (strstr(name, "socket") || strstr(name, "recv"))
		(void)!socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	if (strstr(name, "accept")) {
		listener = socket(AF_UNIX, SOCK_STREAM, 0);
		(void)!(bind(listener, (void *)&a, sizeof(sa_family_t)) | listen(listener, 5));
	}
	if (strstr(name, "event"))
		event = eventfd(0, 0);
	if (strstr(name, "epoll")) {
		ep = epoll_create1(0);
		e.data.fd = fds[0];
		epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &e);
	}
	sem_init(&sem, 0, 0);
}

static int which, pauses, interrupted, tid;
static pid_t child;

static void handler(int s)
{
	(void)s;
}

/* Natively: waits until the thread sleeps in its call. */
static void await_sleep(void)
{
	char path[64], stat[256] = "";
	for (int asleep = 0; pauses && asleep < 3;) {
		syscall(SYS_poll, NULL, 0, 10);
		snprintf(path, sizeof path, "/proc/self/task/%d/stat", __atomic_load_n(&tid, __ATOMIC_SEQ_CST));
		int fd = open(path, O_RDONLY);
		if (fd >= 0) {
			stat[read(fd, stat, sizeof stat - 1)] = '\0';
			close(fd);
		}
		asleep = tid && strstr(stat, ") S") ? asleep + 1 : 0;
	}
}

static void *waiter(void *x)
{
	if (pauses)
		__atomic_store_n(&tid, (int)syscall(SYS_gettid), __ATOMIC_SEQ_CST);
	errno = 0;
	interrupted = calls[which].function() < 0 && errno == EINTR;
	return x;
}

int main(int argc, char **argv)
{
	pthread_t t;
	if (argc < 3) {
		for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
			puts(calls[i].name);
		return 0;
	}
	while (strcmp(calls[which].name, argv[1]))
		which++;
	pauses = argc > 3;
	struct sigaction a = { .sa_handler = handler, .sa_flags = strcmp(argv[2], "restart") ? 0 : SA_RESTART };
	prepare(argv[1]);
	sigaction(SIGUSR1, &a, NULL);
	if (strstr(argv[1], "wait") == argv[1]) {
		int hold[2];
		(void)!pipe(hold);
		child = fork();
		if (!child) {
			close(hold[1]);
			(void)!read(hold[0], &byte, 1);
			_exit(0);
		}
		close(hold[0]);
		fds[1] = hold[1];
	}
	pthread_mutex_lock(&mutex);
	if (strstr(argv[1], "cond"))
		pthread_mutex_unlock(&mutex);
	pthread_create(&t, NULL, waiter, NULL);
	await_sleep();
	pthread_kill(t, SIGUSR1);
	if (pauses)
		syscall(SYS_poll, NULL, 0, 50);
	/* ends every call */
	if (strstr(argv[1], "cond"))
		pthread_mutex_lock(&mutex);
	__atomic_store_n(&word, 1, __ATOMIC_SEQ_CST);
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&mutex);
	futex(FUTEX_WAKE_PRIVATE, 1, NULL, 0);
	sem_post(&sem);
	(void)!write(fds[1], "x", 1);
	if (pair[1])
		(void)!write(pair[1], "x", 1);
	if (event)
		eventfd_write(event, 1);
	struct sockaddr_un name;
	socklen_t size = sizeof name;
	if (!strcmp(argv[1], "accept") && !getsockname(listener, (void *)&name, &size))
		connect(socket(AF_UNIX, SOCK_STREAM, 0), (void *)&name, size);
	pthread_kill(t, SIGUSR2);
	pthread_join(t, NULL);
	return interrupted ? 7 : 0;
}
