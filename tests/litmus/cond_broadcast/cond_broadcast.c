/* By who waits when the setter's section comes.  Nobody: the two others follow in either order, 2.  One of them (two
   ways): it wakes before or after the other's section, 2 * 2.  Both: they came in either order and wake in either
   order, 2 * 2. */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag;

T(waiter)
{
	pthread_mutex_lock(&m);
	while (!flag)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	return NULL;
}

T(setter)
{
	pthread_mutex_lock(&m);
	flag = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	RUN(waiter, waiter, setter);
	return 0;
}
