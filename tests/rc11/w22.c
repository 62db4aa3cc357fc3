/*
 * w22: 2+2W: two threads store to two places in opposite order; both first stores are the last ones of their places.
 *
 * -DSTORE=: the order of the stores
 */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int x, y;

static void *thread0(void *unused)
{
	store(&x, 1, STORE);
	store(&y, 2, STORE);
	return NULL;
}

static void *thread1(void *unused)
{
	store(&y, 1, STORE);
	store(&x, 2, STORE);
	return NULL;
}

int main(void)
{
	RUN(thread0, thread1);
	assert(!(load(&x, rlx) == 1 && load(&y, rlx) == 1));
	return 0;
}
