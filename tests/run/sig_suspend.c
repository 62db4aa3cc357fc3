/* sigsuspend opens the mask only while it waits. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t got;

static void handler(int sig)
{
	got = 1;
}

static void *sender(void *arg)
{
	assert(pthread_kill(*(pthread_t *)arg, SIGUSR1) == 0);
	return NULL;
}

int main(void)
{
	pthread_t t, self = pthread_self();
	sigset_t set, old, now;

	signal(SIGUSR1, handler);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, &old);
	assert(pthread_create(&t, NULL, sender, &self) == 0);
	assert(got == 0);
	assert(sigsuspend(&old) == -1 && errno == EINTR && got == 1);
	pthread_sigmask(SIG_BLOCK, NULL, &now);
	assert(sigismember(&now, SIGUSR1));
	pthread_join(t, NULL);
	return 0;
}
