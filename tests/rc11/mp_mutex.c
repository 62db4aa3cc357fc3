/* mp_mutex: relaxed stores under a lock, relaxed loads under the lock
   -DWEAK: the readers take no lock: they may see the stores in the other order */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

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
	pthread_t t[3];

	pthread_create(&t[0], NULL, writer, (void *)0L);
	pthread_create(&t[1], NULL, reader, (void *)1L);
	pthread_create(&t[2], NULL, reader, (void *)2L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[2], NULL);
	return 0;
}
