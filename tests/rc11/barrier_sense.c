/* barrier_sense: a barrier with a sense: the last one frees the others
   -DWEAK: freed with relaxed: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define FREE rlx
#else
#define FREE rel
#endif
static atomic_int arrived, sense;
static int part[2];

static void *worker(void *arg)
{
	int me = (int)(long)arg;

	part[me] = 1;
	if (fadd(&arrived, 1, ar) == 1)
		store(&sense, 1, FREE);
	else
		while (!load(&sense, acq))
			SPIN();
	CHECK(part[0] + part[1] == 2);
	return NULL;
}

int main(void)
{
	RUN(worker, worker);
	return 0;
}
