/* The signal comes before the wait, and is lost: a deadlock, one execution; or after it: the other. */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

T(waiter)
{
	pthread_mutex_lock(&m);
	pthread_cond_wait(&c, &m);
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
