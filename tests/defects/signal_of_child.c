/* A forked child sends its parent a signal, for which the parent has a handler. An earlier simul reported a crash by the
 * signal. (That it is delivered to the handler would be better still.)
 *
 * check: incomplete says=a_signal_from_another_process : --
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int n;

static void handler(int sig)
{
	n = 1;
}

static void *other(void *arg)
{
	pid_t pid = fork();

	if (!pid) {
		kill(getppid(), SIGUSR1);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	return NULL;
}

int main(void)
{
	pthread_t t;

	signal(SIGUSR1, handler);
	pthread_create(&t, NULL, other, NULL);
	pthread_join(t, NULL);
	assert(n);
	return 0;
}
