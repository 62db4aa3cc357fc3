/* A deadlock that only the test's own watchdog ends. With --patience the watchdog ends it, and the test reports this itself. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t ended;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
	sem_post(&ended);
}

static void *one(void *unused)
{
	both(&a, &b);
	return unused;
}

static void *two(void *unused)
{
	both(&b, &a);
	return unused;
}

int main(void)
{
	pthread_t t[2];
	struct timespec until;
	sem_init(&ended, 0, 0);
	pthread_create(&t[0], NULL, one, NULL);
	pthread_create(&t[1], NULL, two, NULL);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += 10;
	for (int i = 0; i < 2; i++)
		if (sem_timedwait(&ended, &until)) {
			fprintf(stderr, "the threads do not end\n");
			return 3;
		}
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
