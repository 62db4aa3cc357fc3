/*
 * Threads that ask again and again whether another one is done, in the way that argv[1] says; argv[2]: how many. One that always went first
 * would never let the other one get there.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, working = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t started;
static int done;
static const char *how;

static int is_done(void)
{
	pthread_mutex_lock(&m);
	if (!strcmp(how, "timedwait") && !done) {
		struct timespec soon;
		clock_gettime(CLOCK_REALTIME, &soon);
		soon.tv_nsec = 999999999;
		pthread_cond_timedwait(&never, &m, &soon);
	}
	int found = done;
	pthread_mutex_unlock(&m);
	return found;
}

static void *poll_it(void *unused)
{
	if (!strcmp(how, "trylock")) {
		while (pthread_mutex_trylock(&working))
			;
		pthread_mutex_unlock(&working);
		return unused;
	}
	while (!is_done()) {
		struct timespec little = {0, 1000};
		if (!strcmp(how, "sched_yield"))
			sched_yield();
		else if (!strcmp(how, "thrd_yield"))
			thrd_yield();
		else if (!strcmp(how, "usleep"))
			usleep(100);
		else if (!strcmp(how, "nanosleep"))
			nanosleep(&little, NULL);
	}
	return unused;
}

static void *work(void *unused)
{
	pthread_mutex_lock(&working);
	sem_post(&started);
	for (int i = 0; i < 60; i++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	pthread_mutex_lock(&m);
	done = 1;
	pthread_mutex_unlock(&m);
	pthread_mutex_unlock(&working);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t t[8], worker;
	int n = atoi(argv[2]);
	how = argv[1];
	sem_init(&started, 0, 0);
	pthread_create(&worker, NULL, work, NULL);
	sem_wait(&started); /* it holds `working` */
	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, poll_it, NULL);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
	pthread_join(worker, NULL);
	return argc != 3;
}
