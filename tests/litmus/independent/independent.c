/* Two locks, one thread each: no order matters. */
#include "../litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *use(pthread_mutex_t *m)
{
	pthread_mutex_lock(m);
	pthread_mutex_unlock(m);
	return NULL;
}

T(p) { return use(&a); }
T(q) { return use(&b); }

int main(void)
{
	RUN(p, q);
	return 0;
}
