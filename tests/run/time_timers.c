/* alarm, setitimer and timer_create send their signals when they expire. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t alarms, ticks, value;
static sem_t sem;

static void on_alarm(int sig)
{
	alarms++;
	sem_post(&sem);
}

static void on_tick(int sig, siginfo_t *info, void *ctx)
{
	assert(sig == SIGUSR1 && info->si_code == SI_TIMER);
	value = info->si_value.sival_int;
	ticks++;
}

static void *other(void *arg)
{
	return NULL;
}

int main(void)
{
	pthread_t t;
	sigset_t usr1;
	struct sigaction sa = {.sa_handler = on_alarm};

	/* the other thread blocks all signals, so this thread gets them */
	sigset_t all;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	assert(pthread_create(&t, NULL, other, NULL) == 0);
	sigemptyset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);

	sem_init(&sem, 0, 0);
	sigaction(SIGALRM, &sa, NULL);
	struct itimerval it = {.it_value.tv_usec = 20000};
	assert(setitimer(ITIMER_REAL, &it, NULL) == 0);
	while (sem_wait(&sem) == -1)
		assert(errno == EINTR);
	assert(alarms == 1);

	/* a sleep ends early */
	it.it_value.tv_usec = 10000;
	assert(setitimer(ITIMER_REAL, &it, NULL) == 0);
	struct timespec req = {.tv_sec = 5}, rem = {0};
	assert(nanosleep(&req, &rem) == -1 && errno == EINTR && alarms == 2);
	assert(rem.tv_sec == 4 && rem.tv_nsec > 0);

	/* a timer that is deleted in time never expires */
	assert(alarm(100) == 0 && alarm(0) > 0);

	struct sigaction info = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO};
	sigaction(SIGUSR1, &info, NULL);
	struct sigevent ev = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1, .sigev_value.sival_int = 7};
	struct itimerspec spec = {.it_value.tv_nsec = 5000000, .it_interval.tv_nsec = 5000000}, left;
	timer_t timer;
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	assert(timer_create(CLOCK_MONOTONIC, &ev, &timer) == 0);
	assert(timer_settime(timer, 0, &spec, NULL) == 0);
	assert(timer_gettime(timer, &left) == 0 && left.it_interval.tv_nsec == 5000000);
	sigset_t none;
	sigemptyset(&none);
	while (ticks < 2)
		assert(sigsuspend(&none) == -1 && errno == EINTR);
	assert(value == 7 && timer_delete(timer) == 0);
	pthread_join(t, NULL);
	return 0;
}
