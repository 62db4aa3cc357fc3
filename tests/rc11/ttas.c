/* ttas: test and test-and-set lock
   -DWEAK: locked with relaxed: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define LOCK rlx
#else
#define LOCK acq
#endif
static atomic_int locked;
static int shared;

static void *worker(void *arg)
{
	int zero;

	do {
		while (load(&locked, rlx))
			SPIN();
		zero = 0;
	} while (!cas(&locked, &zero, 1, LOCK, rlx));
	shared++;
	store(&locked, 0, rel);
	return NULL;
}

int main(void)
{
	RUN(worker, worker);
	CHECK(shared == 2);
	return 0;
}
