/* ticket: ticket lock
   -DWEAK: unlocked with relaxed: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define UNLOCK rlx
#else
#define UNLOCK rel
#endif
static atomic_int next, serving;
static int shared;

static void *worker(void *arg)
{
	int mine = fadd(&next, 1, rlx);

	while (load(&serving, acq) != mine)
		SPIN();
	shared++;
	store(&serving, mine + 1, UNLOCK);
	return NULL;
}

int main(void)
{
	RUN(worker, worker, worker);
	CHECK(shared == 3);
	return 0;
}
