/*
 * Two threads wait for the same thing. Each is woken by its own signal, but one signal comes before the wait that it
 * is for.
 * kind: lost-wakeup
 * never: wrong thread
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t tick = PTHREAD_COND_INITIALIZER;

static void *wait_for_tick(void *unused)
{
	pthread_mutex_lock(&lock);
	pthread_cond_wait(&tick, &lock);
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, wait_for_tick, NULL);
	pthread_create(&b, NULL, wait_for_tick, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		pthread_cond_signal(&tick);
		pthread_mutex_unlock(&lock);
	}
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
