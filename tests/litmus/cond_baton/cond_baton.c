/* As cond_broadcast, but with one signal, which the woken thread passes on. It may wake either of two waiters, so the two
   orders of waking are still there. */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;

T(waiter)
{
	pthread_mutex_lock(&m);
	while (!flag)
		pthread_cond_wait(&c, &m);
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}

T(setter)
{
	pthread_mutex_lock(&m);
	flag = 1;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	RUN(waiter, waiter, setter);
	return 0;
}
