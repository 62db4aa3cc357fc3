/* Loaded with dlopen by dlopen_tls.c: a thread-local counter (dynamic TLS) and a lock of its own. */
#include <pthread.h>

static __thread int count = 10;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;

int counter_next(void)
{
	return ++count;
}

int counter_total(int add)
{
	pthread_mutex_lock(&lock);
	int t = total += add;
	pthread_mutex_unlock(&lock);
	return t;
}
