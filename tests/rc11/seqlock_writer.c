/* seqlock_writer: sequence lock, the writer's side: two readers
   -DWEAK: no release fence before the data */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int seq, a, b;

static void *writer(void *arg)
{
	store(&seq, 1, rlx);
#ifndef WEAK
	fence(rel);
#endif
	store(&a, 1, rlx);
	store(&b, 1, rlx);
	store(&seq, 2, rel);
	return NULL;
}

static void *reader(void *arg)
{
	int before = load(&seq, acq), x = load(&a, rlx), y = load(&b, rlx);

	fence(acq);
	if (before % 2 == 0 && load(&seq, rlx) == before)
		CHECK(x == y);
	return NULL;
}

int main(void)
{
	RUN(writer, reader, reader);
	return 0;
}
