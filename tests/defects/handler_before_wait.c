/* A handler that runs just before a call, and not in it. simul let every handler at the scheduling point of a call interrupt it. So it did not find
 * that these calls wait for ever if the signal comes after the test of `done`: pause, read, poll and sem_wait.
 * check: bug kind=deadlock replays=1 : -- pause
 * check: bug kind=deadlock : -- read
 * check: bug kind=deadlock : -- poll
 * check: bug kind=deadlock : -- sem_wait
 * A long sleep sleeps to its end, although the handler has run before it.
 * check: bug kind=exit says=status_2 : -- nanosleep
 * These close the window: the signal is blocked, and the call unblocks it. The one trace: the thread waits, the signal comes, the handler runs in the
 * call.
 * check: complete traces=1 : -- sigsuspend
 * check: complete traces=1 : -- ppoll
 * check: complete traces=1 : -- pselect
 * check: complete traces=1 : -- epoll_pwait
 * They do not, if the signal was not blocked.
 * check: bug kind=deadlock : -- sigsuspend open
 * check: bug kind=deadlock : -- ppoll open
 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t done;
static volatile long at; /* when the handler ran */
static pthread_t waiter;
static int fds[2], ep;
static sem_t sem;
static sigset_t during, usr1; /* the mask of the calls that have one; SIGUSR1 */

static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec;
}

static void handler(int sig)
{
	at = now();
	done = 1;
}

static void *send(void *unused)
{
	pthread_kill(waiter, SIGUSR1);
	return NULL;
}

static void call(const char *name)
{
	struct pollfd p = { .fd = fds[0], .events = POLLIN };
	struct epoll_event e;
	char c;
	if (!strcmp(name, "pause"))
		pause();
	if (!strcmp(name, "read"))
		(void)!read(fds[0], &c, 1);
	if (!strcmp(name, "poll"))
		poll(&p, 1, -1);
	if (!strcmp(name, "sem_wait"))
		sem_wait(&sem);
	if (!strcmp(name, "nanosleep") && !nanosleep(&(struct timespec){ .tv_sec = 1000 }, NULL) && done && now() - at > 900)
		exit(2);
	if (!strcmp(name, "sigsuspend"))
		sigsuspend(&during);
	if (!strcmp(name, "ppoll"))
		ppoll(&p, 1, NULL, &during);
	if (!strcmp(name, "pselect")) {
		fd_set s;
		FD_ZERO(&s);
		FD_SET(fds[0], &s);
		pselect(fds[0] + 1, &s, NULL, NULL, NULL, &during);
	}
	if (!strcmp(name, "epoll_pwait"))
		epoll_pwait(ep, &e, 1, -1, &during);
}

int main(int argc, char **argv)
{
	pthread_t t;
	struct sigaction a = { .sa_handler = handler };
	sigemptyset(&during);
	sigaddset(&during, SIGUSR2); /* another mask than the thread's in any case */
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	waiter = pthread_self();
	sigaction(SIGUSR1, &a, NULL);
	if (pipe(fds) || (ep = epoll_create1(0)) < 0 ||
		epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &(struct epoll_event){ .events = EPOLLIN }))
		return 1;
	if (strstr("sigsuspend ppoll pselect epoll_pwait", argv[1]) && strcmp(argv[1], "poll") && argc < 3)
		pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	pthread_create(&t, NULL, send, NULL);
	if (!done)
		call(argv[1]);
	pthread_join(t, NULL);
	return 0;
}
