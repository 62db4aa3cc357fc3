/* A loop that gives up after three reads does not wait: it has one graph for each read that can find the flag, and one in
   which none does. */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int flag;

static void *poller(void *unused)
{
	for (int i = 0; i < 3; i++)
		if (load(&flag, acq))
			break;
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
