/* The signal comes before the wait, which then times out; or it wakes the waiter; or the waiter times out before it; or
   the signal comes and the waiter times out all the same. */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

T(waiter)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_sec += 1;
	pthread_mutex_lock(&m);
	pthread_cond_timedwait(&c, &m, &t);
	pthread_mutex_unlock(&m);
	return NULL;
}

T(signaller)
{
	pthread_cond_signal(&c);
	return NULL;
}

int main(void)
{
	RUN(waiter, signaller);
	return 0;
}
