/* A handler does not interrupt a call that need not wait. simul said that these fail with EINTR. The semaphore has the value 1; the pipe contains a
 * byte; the signal that sigwaitinfo takes is pending; the calls that look at a descriptor or a child only once do not wait.
 * check: complete : -- sem_wait
 * check: complete : -- sem_timedwait
 * check: complete : -- read
 * check: complete : -- poll
 * check: complete : -- sigwaitinfo
 * check: complete : -- try_read
 * check: complete : -- waitpid
 * check: complete : -- futex
 * The token comes before the signal.
 * check: complete : -- post
 * The token may come after the signal: then the call may fail.
 * check: bug kind=exit : -- late
 * check: bug kind=exit : -- late_pipe
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_t waiter;
static int fds[2], word = 1;
static sem_t sem;
static const char *name;

static void handler(int sig)
{
}

static void *send(void *unused)
{
	if (!strcmp(name, "post"))
		sem_post(&sem);
	pthread_kill(waiter, SIGUSR1);
	if (!strcmp(name, "late"))
		sem_post(&sem);
	if (!strcmp(name, "late_pipe"))
		(void)!write(fds[1], "x", 1);
	return NULL;
}

static long call(void)
{
	struct pollfd p = { .fd = fds[0], .events = POLLIN };
	struct timespec end = { .tv_sec = 4000000000 };
	sigset_t usr2;
	char c;
	if (!strcmp(name, "sem_timedwait"))
		return sem_timedwait(&sem, &end);
	if (strstr(name, "read") || !strcmp(name, "late_pipe"))
		return read(fds[0], &c, 1);
	if (!strcmp(name, "poll"))
		return poll(&p, 1, -1);
	if (!strcmp(name, "waitpid"))
		return waitpid(-1, NULL, WNOHANG);
	if (!strcmp(name, "futex"))
		return syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	if (!strcmp(name, "sigwaitinfo"))
		return sigwaitinfo(&usr2, NULL);
	return sem_wait(&sem);
}

int main(int argc, char **argv)
{
	pthread_t t;
	sigset_t usr2;
	struct sigaction a = { .sa_handler = handler };
	name = argv[1];
	waiter = pthread_self();
	sigaction(SIGUSR1, &a, NULL);
	sigemptyset(&usr2);
	sigaddset(&usr2, SIGUSR2);
	pthread_sigmask(SIG_BLOCK, &usr2, NULL);
	pthread_kill(waiter, SIGUSR2);
	sem_init(&sem, 0, !strcmp(name, "sem_wait") || !strcmp(name, "sem_timedwait"));
	if (pipe(fds) || (strcmp(name, "try_read") && strcmp(name, "late_pipe") && write(fds[1], "x", 1) != 1))
		return 1;
	if (!strcmp(name, "try_read"))
		fcntl(fds[0], F_SETFL, O_NONBLOCK);
	pthread_create(&t, NULL, send, NULL);
	if (call() < 0 && errno == EINTR)
		return 2;
	pthread_join(t, NULL);
	return 0;
}
