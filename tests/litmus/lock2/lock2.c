/* Two critical sections in either order. */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

T(p)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	RUN(p, p);
	return 0;
}
