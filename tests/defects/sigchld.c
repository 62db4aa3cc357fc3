/* A handler of SIGCHLD, or a wait for SIGCHLD, and the ends of children. An earlier simul sent the signal only when no
 * thread could run, and never for a child that was reaped. So it reported failed assertions that cannot fail, missed
 * those that always fail, and loops that sleep never ended.
 *
 * check: complete : -- waited
 * check: bug kind=assert replays=3 : -- waited_wrong
 * check: refused says=nothing_to_explore : -- before_wrong
 * check: complete : -- before
 * check: complete : -- sleeps
 * check: complete : -- without_waiting
 * check: complete : -- suspended
 * check: bug kind=deadlock replays=3 : -- one_for_each
 * check: complete : -- awaited
 * check: complete : -- blocked
 * check: bug kind=assert replays=3 : -- blocked_wrong
 * check: complete : -- ignored
 * check: complete : -- commands
 * check: complete : -- polls
 * check: complete : -- joined
 * check: incomplete never=fails : -- two_threads
 * check: bug kind=assert replays=3 : -- two_threads_wrong
 * check: complete : --threads kernel -- waited
 * check: complete : --isolation exec -- suspended
 */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int n, reaped;
static int signal_seen, ends[2];
static const char *mode;

static int is(const char *name)
{
	return !strcmp(mode, name);
}

static void count(int sig)
{
	n++;
	if (is("polls"))
		assert(write(ends[1], "x", 1) == 1);
}

static void reap_all(int sig)
{
	while (waitpid(-1, NULL, WNOHANG) > 0)
		reaped++;
}

static void reap_one(int sig)
{
	if (waitpid(-1, NULL, WNOHANG) > 0)
		reaped++;
}

static pid_t child(void)
{
	pid_t pid = fork();

	assert(pid >= 0);
	if (!pid)
		_exit(0);
	return pid;
}

static void *nothing(void *arg)
{
	return NULL;
}

static void *sleeps(void *arg)
{
	child();
	while (!n)
		usleep(1000);
	return NULL;
}

static void *waits(void *arg)
{
	pid_t pid = child();

	assert(waitpid(pid, NULL, 0) == pid);
	return NULL;
}

static void *awaits(void *arg)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	assert(!sigwait(&set, &signal_seen));
	return NULL;
}

static void threads(int count, void *(*start)(void *))
{
	pthread_t t[2];

	for (int i = 0; i < count; i++)
		assert(!pthread_create(&t[i], NULL, start, NULL));
	for (int i = 0; i < count; i++)
		pthread_join(t[i], NULL);
}

static void wait_for_one(int expected)
{
	child();
	assert(wait(NULL) > 0);
	assert(n == expected);
}

static void suspended(const sigset_t *free)
{
	for (int i = 0; i < 3; i++)
		child();
	while (reaped < 3)
		sigsuspend(free);
}

static void blocked(const sigset_t *block, const sigset_t *free)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, block, NULL);
	child();
	child();
	assert(wait(NULL) > 0 && wait(NULL) > 0 && n == 0);
	assert(!sigpending(&now) && sigismember(&now, SIGCHLD));
	pthread_sigmask(SIG_SETMASK, free, NULL);
	assert(n == (is("blocked") ? 1 : 2)); /* the kernel keeps one */
}

static void commands(void)
{
	assert(system("true") == 0 && n == 1);
	FILE *f = popen("true", "r");

	assert(f && pclose(f) == 0 && n == 2);
}

static void polls(void)
{
	pid_t pid = child();
	struct pollfd at = {.fd = ends[0], .events = POLLIN};

	while (poll(&at, 1, 100) != 1)
		;
	assert(wait(NULL) == pid);
}

int main(int argc, char **argv)
{
	sigset_t block, free;

	mode = argv[1];
	assert(!pipe(ends));
	signal(SIGCHLD, count);
	if (is("ignored"))
		signal(SIGCHLD, SIG_IGN);
	if (is("suspended"))
		signal(SIGCHLD, reap_all);
	if (is("one_for_each"))
		signal(SIGCHLD, reap_one);
	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	if (is("before") || is("before_wrong"))
		wait_for_one(is("before"));
	if (is("awaited") || is("suspended") || is("one_for_each"))
		pthread_sigmask(SIG_BLOCK, &block, &free);
	if (is("awaited")) {
		pthread_t t;

		assert(!pthread_create(&t, NULL, awaits, NULL));
		child();
		assert(wait(NULL) > 0);
		pthread_join(t, NULL);
		assert(signal_seen == SIGCHLD);
		return 0;
	}
	if (is("two_threads") || is("two_threads_wrong")) {
		threads(2, waits);
		assert(n == 2 || (n == 1 && is("two_threads")));
		return 0;
	}
	if (is("sleeps"))
		threads(1, sleeps);
	else
		threads(1, is("joined") ? waits : nothing);
	if (is("joined"))
		assert(n == 1);
	if (is("waited") || is("waited_wrong"))
		wait_for_one(is("waited"));
	if (is("without_waiting")) {
		pid_t pid = child();

		while (waitpid(pid, NULL, WNOHANG) != pid)
			sched_yield();
		assert(n == 1);
	}
	if (is("suspended") || is("one_for_each"))
		suspended(&free);
	pthread_sigmask(SIG_SETMASK, NULL, &free);
	if (is("blocked") || is("blocked_wrong"))
		blocked(&block, &free);
	if (is("ignored")) {
		child();
		assert(wait(NULL) == -1 && errno == ECHILD);
	}
	if (is("commands"))
		commands();
	if (is("polls"))
		polls();
	return 0;
}
