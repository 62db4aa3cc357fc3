/* weak_sb; in between, each thread locks and unlocks a mutex of its own. A call drains the buffer of its thread: 3. */
#include "../weak.h"

static pthread_mutex_t m[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	pthread_mutex_lock(&m[0]);
	pthread_mutex_unlock(&m[0]);
	a = LD(y);
	return NULL;
}

T(q)
{
	ST(y, 1);
	pthread_mutex_lock(&m[1]);
	pthread_mutex_unlock(&m[1]);
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
