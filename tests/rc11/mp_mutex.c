/* mp_mutex: relaxed stores under a lock, relaxed loads under the lock
   -DWEAK: the readers take no lock: they may see the stores in the other order */
#include <pthread.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;

static void *writer(void *arg)
{
	pthread_mutex_lock(&m);
	store(&x, 1, rlx);
	store(&y, 1, rlx);
	pthread_mutex_unlock(&m);
	return NULL;
}

static void *reader(void *arg)
{
#ifndef WEAK
	pthread_mutex_lock(&m);
#endif
	int a = load(&y, rlx), b = load(&x, rlx);

#ifndef WEAK
	pthread_mutex_unlock(&m);
#endif
	CHECK(a == b || (a == 0 && b == 1));
	return NULL;
}

int main(void)
{
	RUN(writer, reader, reader);
	return 0;
}
