/* Masks: inherited by new threads, signals stay pending while blocked, sa_mask and flags of handlers. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t usr1, usr2, info_value;

static int blocked(int sig)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	return sigismember(&now, sig);
}

static void on_usr1(int sig)
{
	assert(blocked(SIGUSR1) && blocked(SIGUSR2));
	raise(SIGUSR2); /* waits until this handler is done */
	assert(usr2 == 0);
	usr1++;
}

static void on_usr2(int sig)
{
	usr2++;
}

static void on_rt(int sig, siginfo_t *info, void *ctx)
{
	assert(sig == SIGRTMIN + 1 && info->si_signo == sig && info->si_code == SI_QUEUE && ctx);
	info_value = info_value * 10 + info->si_value.sival_int;
}

static void *child(void *arg)
{
	sigset_t pend;

	assert(blocked(SIGUSR1) && !blocked(SIGUSR2));
	raise(SIGUSR1);
	sigpending(&pend);
	assert(sigismember(&pend, SIGUSR1) && usr1 == 0);
	return NULL;
}

int main(void)
{
	pthread_t t;
	sigset_t set, old;
	struct sigaction sa = {.sa_handler = on_usr1}, was;

	sigaddset(&sa.sa_mask, SIGUSR2);
	assert(sigaction(SIGUSR1, &sa, NULL) == 0 && sigaction(SIGUSR1, NULL, &was) == 0);
	assert(was.sa_handler == on_usr1 && sigismember(&was.sa_mask, SIGUSR2));
	assert(signal(SIGUSR2, on_usr2) == SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0 && !sigismember(&old, SIGUSR1));
	assert(pthread_create(&t, NULL, child, NULL) == 0);
	pthread_join(t, NULL);
	assert(usr1 == 0); /* it died with the thread */
	raise(SIGUSR1);
	raise(SIGUSR1);
	assert(usr1 == 0);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	assert(usr1 == 1 && usr2 == 1); /* two pending ones are one */

	struct sigaction rt = {.sa_sigaction = on_rt, .sa_flags = SA_SIGINFO};
	sigaction(SIGRTMIN + 1, &rt, NULL);
	sigaddset(&set, SIGRTMIN + 1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 1; i <= 3; i++)
		sigqueue(getpid(), SIGRTMIN + 1, (union sigval){.sival_int = i});
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	assert(info_value == 123); /* these are queued */

	struct sigaction once = {.sa_handler = on_usr2, .sa_flags = SA_RESETHAND};
	sigaction(SIGUSR2, &once, NULL);
	raise(SIGUSR2);
	assert(usr2 == 2 && sigaction(SIGUSR2, NULL, &was) == 0 && was.sa_handler == SIG_DFL);
	signal(SIGTERM, SIG_IGN);
	kill(getpid(), SIGTERM);
	return 0;
}
