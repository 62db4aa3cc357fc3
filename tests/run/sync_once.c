/* pthread_once: once for all threads, again after a cancelled initialiser, again in reused memory. */
#include <pthread.h>

#include "sync_check.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int runs;

static void init(void)
{
	sched_yield();
	runs++;
}

static void *user(void *arg)
{
	EXPECT(pthread_once(&once, init), 0);
	EXPECT(runs, 1);
	return NULL;
}

static pthread_once_t interrupted = PTHREAD_ONCE_INIT;
static int started, finished;

static void is_cancelled(void)
{
	if (!started++)
		pthread_exit(NULL); /* unwinds the stack, as a cancellation does */
	finished++;
}

static void *gives_up(void *arg)
{
	pthread_once(&interrupted, is_cancelled);
	return NULL;
}

int main(void)
{
	pthread_t t;

	EXPECT(pthread_create(&t, NULL, user, NULL), 0);
	user(NULL);
	EXPECT(pthread_join(t, NULL), 0);
	EXPECT(pthread_once(&once, init), 0);
	EXPECT(runs, 1);

	EXPECT(pthread_create(&t, NULL, gives_up, NULL), 0);
	EXPECT(pthread_join(t, NULL), 0);
	EXPECT(pthread_once(&interrupted, is_cancelled), 0);
	EXPECT(started, 2);
	EXPECT(finished, 1);

	for (int i = 0; i < 2; i++) {
		pthread_once_t local = PTHREAD_ONCE_INIT;

		EXPECT(pthread_once(&local, init), 0);
		EXPECT(pthread_once(&local, init), 0);
	}
	EXPECT(runs, 3);
	return 0;
}
