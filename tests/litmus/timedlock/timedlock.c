/* The timed lock comes before the other section, after it, or in the middle and then times out. */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

T(p)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return NULL;
}

T(q)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 1;
	if (pthread_mutex_timedlock(&m, &t) == 0)
		pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
