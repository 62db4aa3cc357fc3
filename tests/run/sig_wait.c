/* The usual pattern: all threads block the signals, one takes them with sigwait. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

static sigset_t set;

static void *waiter(void *arg)
{
	int sig, seen = 0;

	for (int i = 0; i < 2; i++) {
		assert(sigwait(&set, &sig) == 0);
		assert(sig == SIGTERM || sig == SIGUSR1);
		seen |= sig == SIGTERM ? 1 : 2;
	}
	assert(seen == 3);
	return NULL;
}

int main(void)
{
	pthread_t t;
	siginfo_t info;
	struct timespec ts = {.tv_nsec = 10000000};

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGUSR1);
	assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
	assert(sigtimedwait(&set, &info, &ts) == -1 && errno == EAGAIN);
	assert(pthread_create(&t, NULL, waiter, NULL) == 0);
	assert(kill(getpid(), SIGTERM) == 0);
	assert(pthread_kill(t, SIGUSR1) == 0);
	pthread_join(t, NULL);
	raise(SIGUSR1);
	assert(sigwaitinfo(&set, &info) == SIGUSR1 && info.si_signo == SIGUSR1);
	assert(info.si_code == SI_USER && info.si_pid == getpid());
	return 0;
}
