/* Spins for ever when the other thread was first. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int first;

static void *work(void *arg)
{
	pthread_mutex_lock(&m);
	if (!first)
		first = 2;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&m);
	if (!first)
		first = 1;
	pthread_mutex_unlock(&m);
	while (first == 2)
		__asm__ volatile("");
	pthread_join(t, NULL);
	return 0;
}
