/* A loop that counts in memory while it waits: each iteration changes something. */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int flag;
static int turns;

static void *poller(void *unused)
{
	while (!load(&flag, acq))
		turns++;
	return unused;
}

static void *setter(void *unused)
{
	store(&flag, 1, rel);
	return unused;
}

int main(void)
{
	RUN(poller, setter);
	return 0;
}
