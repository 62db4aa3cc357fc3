/* Two locks in opposite order: one of the two orders, the other one, and the deadlock. */
#include "../litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *both(pthread_mutex_t *x, pthread_mutex_t *y)
{
	pthread_mutex_lock(x);
	pthread_mutex_lock(y);
	pthread_mutex_unlock(y);
	pthread_mutex_unlock(x);
	return NULL;
}

T(p) { return both(&a, &b); }
T(q) { return both(&b, &a); }

int main(void)
{
	RUN(p, q);
	return 0;
}
