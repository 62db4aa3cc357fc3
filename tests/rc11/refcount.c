/* refcount: reference count: the last one destroys
   -DWEAK: no acquire fence before the destruction: a data race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

static atomic_int count = 3;
static int object = 1;

static void *user(void *arg)
{
	CHECK(object == 1);
	if (fsub(&count, 1, rel) == 1) {
#ifndef WEAK
		fence(acq);
#endif
		object = 0;
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	pthread_create(&t[0], NULL, user, (void *)0L);
	pthread_create(&t[1], NULL, user, (void *)1L);
	pthread_create(&t[2], NULL, user, (void *)2L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[2], NULL);
	return 0;
}
