/* weak_sb; one thread does both inside of a critical section, which does not help: the lock comes too early and the unlock too late. */
#include "../weak.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
static int a, b;

T(p)
{
	pthread_mutex_lock(&m);
	ST(x, 1);
	a = LD(y);
	pthread_mutex_unlock(&m);
	return NULL;
}

T(q)
{
	ST(y, 1);
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
