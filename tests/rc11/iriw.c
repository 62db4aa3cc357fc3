/*
 * iriw: independent reads of independent writes: two readers disagree which of two stores came first.
 *
 * Release and acquire allow it, TSO does not. -DSTORE=, -DLOAD=: the orders
 */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int x, y;
static int r2_x, r2_y, r3_x, r3_y;

static void *thread0(void *unused)
{
	store(&x, 1, STORE);
	return NULL;
}

static void *thread1(void *unused)
{
	store(&y, 1, STORE);
	return NULL;
}

static void *thread2(void *unused)
{
	r2_x = load(&x, LOAD);
	r2_y = load(&y, LOAD);
	return NULL;
}

static void *thread3(void *unused)
{
	r3_y = load(&y, LOAD);
	r3_x = load(&x, LOAD);
	return NULL;
}

int main(void)
{
	RUN(thread0, thread1, thread2, thread3);
	assert(!(r2_x == 1 && r2_y == 0 && r3_y == 1 && r3_x == 0));
	return 0;
}
