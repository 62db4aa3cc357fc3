/* A thread sends a signal before it has written what the receiver reads: the receiver takes the signal by sigwait.
   Before that, signals come in all other ways that a certificate orders. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t reader;
static pid_t reader_id;
static sigset_t set;
static int number;

static int read_number(void)
{
	int found;

	pthread_mutex_lock(&lock);
	found = number;
	pthread_mutex_unlock(&lock);
	return found;
}

static void *send_all(void *a)
{
	assert(!pthread_kill(reader, 0) && !pthread_kill(reader, SIGRTMIN) && !pthread_kill(reader, SIGUSR2));
	assert(!pthread_kill(reader, SIGUSR2)); /* one of the two is lost */
	assert(!pthread_sigqueue(reader, SIGRTMIN, (union sigval){.sival_int = 7}));
	assert(!syscall(SYS_tgkill, getpid(), reader_id, SIGRTMIN + 1));
	assert(!pthread_kill(reader, SIGUSR1));
	window(1);
	pthread_mutex_lock(&lock);
	number = 1;
	pthread_mutex_unlock(&lock);
	return a;
}

static void *receive(void *a)
{
	const struct timespec none = {0, 0};
	sigset_t last = set; /* SIGUSR1 */
	siginfo_t info;
	int signal;

	sigdelset(&last, SIGUSR2);
	sigdelset(&last, SIGRTMIN);
	sigdelset(&last, SIGRTMIN + 1);
	assert(!sigwait(&last, &signal) && signal == SIGUSR1);
	assert(read_number() == 1);
	assert(sigwaitinfo(&set, &info) == SIGUSR2 && info.si_pid == getpid());
	assert(sigtimedwait(&set, &info, &none) == SIGRTMIN && info.si_code == SI_USER);
	assert(sigtimedwait(&set, &info, NULL) == SIGRTMIN && info.si_code == SI_QUEUE && info.si_value.sival_int == 7);
	assert(!sigwait(&set, &signal) && signal == SIGRTMIN + 1);
	assert(sigtimedwait(&set, &info, &none) == -1 && errno == EAGAIN);
	return a;
}

int main(void)
{
	pthread_t sender;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGRTMIN + 1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	reader = pthread_self();
	reader_id = getpid();
	pthread_create(&sender, NULL, send_all, NULL);
	receive(NULL);
	pthread_join(sender, NULL);
	return 0;
}
