/* A wait with if instead of while: when it is woken the other consumer may have taken what there was. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int count;

static void *consume(void *unused)
{
	pthread_mutex_lock(&lock);
	if (count == 0)
		pthread_cond_wait(&filled, &lock);
	assert(count > 0);
	count--;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, consume, NULL);
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		count++;
		pthread_cond_broadcast(&filled);
		pthread_mutex_unlock(&lock);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
