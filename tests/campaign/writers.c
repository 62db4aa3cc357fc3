/* Three threads that each write three times. One of the 1680 orders fails. No search starts with that order. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long history;

static void *write_it(void *me)
{
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		history = history * 10 + (long)me;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, write_it, (void *)(i + 1));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(history != 332322111);
	return 0;
}
