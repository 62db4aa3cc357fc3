/* A load may read any of 41 values, which are more stores than are offered to it. */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int x;

static void *writer(void *unused)
{
	for (int i = 1; i <= 40; i++)
		store(&x, i, rlx);
	return unused;
}

static void *reader(void *unused)
{
	CHECK(load(&x, rlx) <= 40);
	return unused;
}

int main(void)
{
	RUN(writer, reader);
	return 0;
}
