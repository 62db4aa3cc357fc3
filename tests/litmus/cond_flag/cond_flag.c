/* The setter's section comes first, and no thread waits; or the waiter's comes first, and it waits and is woken. */
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
	pthread_mutex_unlock(&m);
	pthread_cond_signal(&c);
	return NULL;
}

int main(void)
{
	RUN(waiter, setter);
	return 0;
}
