/* Main chooses, before there are other threads, how many of two take the lock: none (1 trace), one (1), both (2 orders). 4. */
#include "simul.h"

#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int takers;

static void *take(int i)
{
	if (i < takers) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
	return NULL;
}
T(p) { return take(0); }
T(q) { return take(1); }

int main(void)
{
	takers = simul_choose(3);
	RUN(p, q);
	return 0;
}
