/*
 * weak_sb. In between, each thread passes a critical section of the same lock. The order of the two sections is visible: with p's first, p's
 * store is in memory before q loads, and p loads before or after q's store: 2 traces; and 2 with q's first.
 */
#include "../weak.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	a = LD(y);
	return NULL;
}

T(q)
{
	ST(y, 1);
	pthread_mutex_lock(&m);
	pthread_mutex_unlock(&m);
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
