/* peterson: Peterson's lock, waiting threads give up
   -DWEAK: release and acquire instead of seq_cst */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define ENTER rel
#define LOOK acq
#else
#define ENTER sc
#define LOOK sc
#endif
static atomic_int flag[2], turn, inside;

static void *worker(void *arg)
{
	int me = (int)(long)arg, other = 1 - me;

	store(&flag[me], 1, ENTER);
	store(&turn, other, ENTER);
	if (load(&flag[other], LOOK) && load(&turn, LOOK) == other)
		return NULL;
	int before = fadd(&inside, 1, rlx);

	CHECK(before == 0);
	fsub(&inside, 1, rlx);
	store(&flag[me], 0, rel);
	return NULL;
}

int main(void)
{
	RUN(worker, worker);
	return 0;
}
