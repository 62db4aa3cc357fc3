/* Detached threads, by attribute and by call; a condition variable signals to main that they are done. */
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int done;

static void *worker(void *arg)
{
	if (arg)
		pthread_detach(pthread_self());
	pthread_mutex_lock(&lock);
	done++;
	pthread_cond_signal(&changed);
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_attr_t attr;
	pthread_t t;
	int state;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	if (pthread_create(&t, &attr, worker, NULL) != 0)
		return 1;
	if (pthread_attr_getdetachstate(&attr, &state) != 0 || state != PTHREAD_CREATE_DETACHED)
		return 2;
	pthread_attr_destroy(&attr);
	if (pthread_create(&t, NULL, worker, &done) != 0)
		return 3;
	pthread_mutex_lock(&lock);
	while (done < 2)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return 0;
}
