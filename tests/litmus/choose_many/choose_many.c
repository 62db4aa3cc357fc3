/* Ten values are more than one event can choose among; another thread performs operations that conflict with nothing. Ten traces. */
#include "simul.h"

#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

T(p) { return simul_choose(10) < 10 ? NULL : &m; }
T(q)
{
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
