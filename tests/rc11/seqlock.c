/* seqlock: sequence lock: one writer, one reader that tries once; data are relaxed atomics
   -DWEAK: no acquire fence behind the data */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

static atomic_int seq, a, b;

static void *writer(void *arg)
{
	store(&seq, 1, rlx);
	fence(rel);
	store(&a, 1, rlx);
	store(&b, 1, rlx);
	store(&seq, 2, rel);
	return NULL;
}

static void *reader(void *arg)
{
	int before = load(&seq, acq), x = load(&a, rlx), y = load(&b, rlx);

#ifndef WEAK
	fence(acq);
#endif
	if (before % 2 == 0 && load(&seq, rlx) == before)
		CHECK(x == y);
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, writer, (void *)0L);
	pthread_create(&t[1], NULL, reader, (void *)1L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
