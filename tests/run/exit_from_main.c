/* main ends with pthread_exit while a thread still works; the process ends with the last thread, with status 0, and
   the exit handlers run then. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int main_left, worked;

static void at_exit(void)
{
	if (!worked)
		_exit(3);
}

static void cleanup(void *arg)
{
	pthread_mutex_lock(&lock);
	main_left = 1;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
}

static void *worker(void *arg)
{
	pthread_mutex_lock(&lock);
	while (!main_left)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	worked = 1;
	return NULL;
}

int main(void)
{
	pthread_t t;

	atexit(at_exit);
	if (pthread_create(&t, NULL, worker, NULL) != 0)
		return 1;
	pthread_cleanup_push(cleanup, NULL);
	pthread_exit(NULL);
	pthread_cleanup_pop(0);
	return 2;
}
