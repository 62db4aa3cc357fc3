/* A thread waits for a flag that nobody sets: no graph is complete, and none may be called so. */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int flag;

static void *poller(void *unused)
{
	while (!load(&flag, acq))
		;
	return unused;
}

static void *setter(void *unused)
{
	store(&flag, 0, rel);
	return unused;
}

int main(void)
{
	RUN(poller, setter);
	return 0;
}
