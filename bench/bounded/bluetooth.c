/* SCTBench bluetooth_driver: a driver is stopped while a request that has passed the check is about to use it. */
#include "bounded.h"

static atomic_int pending = 1, stopping, stopped;
static atomic_bool last_gone;

static void leave(void)
{
	if (atomic_fetch_sub(&pending, 1) == 1)
		last_gone = true;
}

THREAD(request)
{
	if (stopping)
		return NULL;
	pending++;
	assert(!stopped);
	leave();
	return NULL;
}

THREAD(stop)
{
	stopping = 1;
	leave();
	if (last_gone)
		stopped = 1;
	return NULL;
}

int main(void)
{
	start(request, 0);
	start(stop, 0);
	join_all();
	return 0;
}
