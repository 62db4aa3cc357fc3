/* The first execution that a search tries fails. So the search goes on until one passes, and then stops. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready;

static void *reader(void *arg)
{
	int seen;

	pthread_mutex_lock(&lock);
	seen = ready;
	pthread_mutex_unlock(&lock);
	assert(seen);
	return NULL;
}

static void *writer(void *arg)
{
	pthread_mutex_lock(&lock);
	ready = 1;
	pthread_mutex_unlock(&lock);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, reader, NULL);
	pthread_create(&t[1], NULL, writer, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
