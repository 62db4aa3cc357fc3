/* A child process, or a shell, sends its parent a signal that the parent handles or ignores. An earlier simul reported
 * a crash by the signal. (That it is delivered to the handler would be better still.) With "default" it is a crash.
 *
 * check: incomplete says=a_signal_from_another_process : -- child
 * check: incomplete says=a_signal_from_another_process : -- shell
 * check: incomplete says=a_signal_from_another_process : -- ignored
 * check: incomplete says=a_signal_from_another_process : -- later
 * check: bug kind=crash : -- default
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int n;

static void handler(int sig)
{
	n = 1;
}

static const char *how;

static int is(const char *name)
{
	return !strcmp(how, name);
}

static void *other(void *arg)
{
	char command[64];

	if (is("later"))
		signal(SIGUSR1, handler);
	if (is("shell")) {
		snprintf(command, sizeof(command), "kill -USR1 %d", getpid());
		system(command);
		return NULL;
	}
	pid_t pid = fork();

	if (!pid) {
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t t;

	how = argv[1];
	if (is("child") || is("shell"))
		signal(SIGUSR1, handler);
	if (is("ignored"))
		signal(SIGUSR1, SIG_IGN);
	pthread_create(&t, NULL, other, NULL);
	pthread_join(t, NULL);
	assert(n || is("ignored"));
	return 0;
}
