/* barrier: a barrier of a counter
   -DWEAK: arrival is no release: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define ARRIVE acq
#else
#define ARRIVE ar
#endif
static atomic_int arrived;
static int part[3];

static void *worker(void *arg)
{
	int me = (int)(long)arg;

	part[me] = 1;
	fadd(&arrived, 1, ARRIVE);
	while (load(&arrived, acq) != 3)
		SPIN();
	CHECK(part[0] + part[1] + part[2] == 3);
	return NULL;
}

int main(void)
{
	RUN(worker, worker, worker);
	return 0;
}
