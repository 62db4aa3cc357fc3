/* dekker: the entry of Dekker's lock with fences, no waiting
   -DWEAK: acq_rel fences */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define FENCE ar
#else
#define FENCE sc
#endif
static atomic_int flag[2], inside;

static void *worker(void *arg)
{
	int me = (int)(long)arg;

	store(&flag[me], 1, rlx);
	fence(FENCE);
	if (!load(&flag[1 - me], acq)) {
		int before = fadd(&inside, 1, rlx);

		CHECK(before == 0);
		fsub(&inside, 1, rlx);
	}
	store(&flag[me], 0, rel);
	return NULL;
}

int main(void)
{
	RUN(worker, worker);
	return 0;
}
