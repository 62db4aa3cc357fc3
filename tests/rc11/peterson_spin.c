/* peterson_spin: Peterson's lock with its waiting loop, plain data inside
   -DWEAK: release and acquire instead of seq_cst: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define ENTER rel
#define LOOK acq
#else
#define ENTER sc
#define LOOK sc
#endif
static atomic_int flag[2], turn;
static int shared;

static void *worker(void *arg)
{
	int me = (int)(long)arg, other = 1 - me;

	store(&flag[me], 1, ENTER);
	store(&turn, other, ENTER);
	while (load(&flag[other], LOOK) && load(&turn, LOOK) == other)
		SPIN();
	shared++;
	store(&flag[me], 0, rel);
	return NULL;
}

int main(void)
{
	RUN(worker, worker);
	CHECK(shared == 2);
	return 0;
}
