/* Handlers that use thread-local variables run in threads that another thread signals. */
#include "own.h"

#include <signal.h>

static __thread long mine;
static __thread int handled;
static pthread_t first;

static void handler(int sig)
{
	assert(mine == 1);
	handled++;
	errno = EIO;
}

static void *two(void *arg)
{
	mine = 2;
	pthread_kill(first, SIGUSR1);
	step();
	assert(mine == 2 && handled == 0);
	return NULL;
}

static void *one(void *arg)
{
	pthread_t second;
	mine = 1;
	first = pthread_self();
	pthread_create(&second, NULL, two, NULL);
	step();
	assert(mine == 1 && handled <= 1);
	step();
	pthread_join(second, NULL);
	assert(mine == 1 && handled <= 1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	struct sigaction sa = {.sa_handler = handler};
	sigaction(SIGUSR1, &sa, NULL);
	pthread_create(&t, NULL, one, NULL);
	pthread_join(t, NULL);
	return 0;
}
