/* pthread_kill runs the handler in its target thread, and interrupts the call in which that thread waits. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_t target;
static volatile sig_atomic_t handled;
static sem_t sem;

static void handler(int sig)
{
	assert(pthread_equal(pthread_self(), target));
	handled++;
	sem_post(&sem); /* the signal may come before the thread waits */
	errno = 0; /* the interrupted code must not see this */
}

static void *waiter(void *arg)
{
	while (!handled) {
		errno = 0;
		if (sem_wait(&sem) == -1)
			assert(errno == EINTR && handled);
	}
	return NULL;
}

int main(void)
{
	struct sigaction sa = {.sa_handler = handler};

	sem_init(&sem, 0, 0);
	sigaction(SIGUSR1, &sa, NULL);
	assert(pthread_create(&target, NULL, waiter, NULL) == 0);
	assert(pthread_kill(target, 0) == 0);
	assert(pthread_kill(target, 1000) == EINVAL);
	assert(pthread_kill(target, SIGUSR1) == 0); /* it may end from now on */
	pthread_join(target, NULL);
	assert(handled == 1);
	return 0;
}
