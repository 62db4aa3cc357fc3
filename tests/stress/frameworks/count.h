/* Two threads add one each, with or without a lock. For the programs of this folder, which are in C and in C++. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int counter;

static void *with_lock(void *arg)
{
	pthread_mutex_lock(&lock);
	counter = counter + 1;
	pthread_mutex_unlock(&lock);
	return arg;
}

static void *without_lock(void *arg)
{
	counter = counter + 1;
	return arg;
}

static int count(void *(*add)(void *))
{
	pthread_t a, b;

	counter = 0;
	pthread_create(&a, NULL, add, NULL);
	pthread_create(&b, NULL, add, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return counter;
}
