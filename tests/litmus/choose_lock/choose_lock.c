/* One of three values, then a lock that another thread takes too: both orders of the sections for each value, 2 * 3. */
#include "simul.h"

#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

T(p)
{
	int value = simul_choose(3);
	pthread_mutex_lock(&m);
	x += value;
	pthread_mutex_unlock(&m);
	return NULL;
}
T(q)
{
	pthread_mutex_lock(&m);
	x *= 2;
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
