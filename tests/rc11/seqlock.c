/* seqlock: sequence lock: one writer, one reader that tries once; data are relaxed atomics
   -DWEAK: no acquire fence behind the data */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

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
	RUN(writer, reader);
	return 0;
}
