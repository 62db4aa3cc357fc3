/* A thread handles another thread's signals while it waits for a lock, a condition, a barrier and the end of the other
   thread, and in a handler. The sender waits for the end of each handler. */
#define _GNU_SOURCE
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include "window.h"
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t change = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t go, begun, handled;
static volatile int step = 1, changed;
static volatile long order;
static pthread_t worker;
static pid_t worker_id;

static void note(int signal)
{
	assert(pthread_equal(pthread_self(), worker));
	order = order * 100 + step * 10 + signal;
}

/* Waits for a lock that the sender has, and handles another signal there. */
static void simple(int signal)
{
	sigset_t now;

	pthread_sigmask(SIG_BLOCK, NULL, &now);
	assert(sigismember(&now, SIGUSR1) && sigismember(&now, SIGUSR2) && !sigismember(&now, SIGRTMIN));
	note(1);
	if (step == 1) {
		sem_post(&begun);
		pthread_mutex_lock(&inner);
		pthread_mutex_unlock(&inner);
	}
	note(2);
	sem_post(&handled);
}

static void with_value(int signal, siginfo_t *info, void *context)
{
	assert(info->si_pid == getpid() && info->si_uid == getuid());
	assert(info->si_code == (signal == SIGUSR2 ? SI_TKILL : SI_QUEUE));
	assert(signal == SIGUSR2 || info->si_value.sival_int == 7);
	note(signal == SIGUSR2 ? 3 : 4);
	sem_post(&handled);
}

static void send_value(void)
{
	assert(!pthread_sigqueue(worker, SIGRTMIN, (union sigval){.sival_int = 7}));
	sem_wait(&handled);
}

static void *send_signals(void *a)
{
	int left;

	pthread_mutex_lock(&lock);
	pthread_mutex_lock(&inner);
	sem_post(&go);
	window(1);
	assert(!pthread_kill(worker, SIGUSR1));
	sem_wait(&begun); /* the worker is in its handler */
	send_value();
	pthread_mutex_unlock(&inner);
	sem_wait(&handled);
	pthread_mutex_unlock(&lock);
	sem_wait(&go); /* the worker waits for the condition */
	pthread_mutex_lock(&lock);
	send_value();
	changed = 1;
	pthread_cond_signal(&change);
	pthread_mutex_unlock(&lock);
	sem_wait(&go); /* the worker is at the barrier */
	assert(!syscall(SYS_tgkill, getpid(), worker_id, SIGUSR2));
	sem_wait(&handled);
	pthread_barrier_wait(&barrier);
	sem_wait(&go);
	assert(!pthread_kill(worker, SIGUSR1));
	sem_wait(&handled);
	assert(!sem_getvalue(&handled, &left) && !left);
	return a;
}

static void install(int signal, void (*handler)(int, siginfo_t *, void *), int blocked)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO, .sa_sigaction = handler};

	if (!handler)
		action = (struct sigaction){.sa_handler = simple};
	sigaddset(&action.sa_mask, blocked);
	assert(!sigaction(signal, &action, NULL));
}

int main(int argc, char **argv)
{
	pthread_t sender;

	install(SIGUSR1, NULL, SIGUSR2);
	install(SIGUSR2, with_value, SIGUSR1);
	install(SIGRTMIN, with_value, SIGUSR1);
	sem_init(&go, 0, 0);
	sem_init(&begun, 0, 0);
	sem_init(&handled, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	worker = pthread_self();
	worker_id = getpid();
	pthread_create(&sender, NULL, send_signals, NULL);
	sem_wait(&go);
	pthread_mutex_lock(&lock);
	step = 2;
	sem_post(&go);
	while (!changed)
		pthread_cond_wait(&change, &lock);
	pthread_mutex_unlock(&lock);
	step = 3;
	sem_post(&go);
	pthread_barrier_wait(&barrier);
	step = 4;
	sem_post(&go);
	pthread_join(sender, NULL);
	printf("%ld\n", order);
	return 0;
}
