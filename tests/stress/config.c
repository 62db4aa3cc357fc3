/* Its two locks are taken in two orders only if there is a file "config". */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
	pthread_mutex_lock(first);
	pthread_mutex_lock(second);
	pthread_mutex_unlock(second);
	pthread_mutex_unlock(first);
}

static void *other(void *arg)
{
	both(arg ? &b : &a, arg ? &a : &b);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, other, access("config", F_OK) ? NULL : &a);
	both(&a, &b);
	pthread_join(t, NULL);
	return 0;
}
