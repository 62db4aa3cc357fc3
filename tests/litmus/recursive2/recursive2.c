/* The inner lock of a recursive mutex orders nothing new: two sections, two orders. */
#include "../litmus.h"

static pthread_mutex_t m;

T(p)
{
	CHECK(pthread_mutex_lock(&m));
	CHECK(pthread_mutex_lock(&m));
	CHECK(pthread_mutex_unlock(&m));
	CHECK(pthread_mutex_unlock(&m));
	return NULL;
}

int main(void)
{
	pthread_mutexattr_t a;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &a);
	RUN(p, p);
	return 0;
}
