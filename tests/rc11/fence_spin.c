/* fence_spin: a loop that waits has a fence in each iteration
   -DWEAK: the last load has no fence after it: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int flag;
static int data;

static void *fill(void *arg)
{
	data = 1;
	store(&flag, 1, rel);
	return NULL;
}

static void *wait(void *arg)
{
#ifdef WEAK
	while (!load(&flag, rlx))
		fence(sc);
#else
	int seen;
	do {
		seen = load(&flag, rlx);
		fence(sc);
	} while (!seen);
#endif
	CHECK(data == 1);
	return NULL;
}

int main(void)
{
	RUN(fill, wait);
	return 0;
}
