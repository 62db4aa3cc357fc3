/* p first or q first; and each of them may come while the other holds the mutex, and fail: 2 + 2. */
#include "../litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

T(p)
{
	if (pthread_mutex_trylock(&m) == 0)
		pthread_mutex_unlock(&m);
	return NULL;
}

int main(void)
{
	RUN(p, p);
	return 0;
}
