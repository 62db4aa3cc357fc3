/* Cancellation of a thread that waits, with cleanup handlers, keys and thread-local variables. */
#include "own.h"

#include <unistd.h>

static __thread long mine;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static int cleaned, destroyed;

static void destroy(void *value)
{
	assert((long)value == 1 && mine == 1);
	destroyed++;
}

static void clean(void *arg)
{
	assert(mine == (long)arg);
	cleaned++;
	pthread_mutex_unlock(&lock);
}

static void *waits(void *arg)
{
	mine = 1;
	pthread_setspecific(key, (void *)1);
	pthread_mutex_lock(&lock);
	pthread_cleanup_push(clean, (void *)1);
	for (;;)
		pthread_cond_wait(&never, &lock);
	pthread_cleanup_pop(1);
	return NULL;
}

int main(void)
{
	pthread_t t;
	void *value;
	pthread_key_create(&key, destroy);
	mine = 9;
	pthread_create(&t, NULL, waits, NULL);
	step();
	pthread_cancel(t);
	step();
	pthread_join(t, &value);
	assert(value == PTHREAD_CANCELED && cleaned <= 1 && destroyed <= 1 && mine == 9);
	return 0;
}
