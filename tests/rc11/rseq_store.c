/* rseq_store: a relaxed store of another thread ends the release sequence */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int x, y;
static int r2_a, r2_b;

static void *thread0(void *unused)
{
	store(&x, 1, rlx);
	store(&y, 1, rel);
	return unused;
}

static void *thread1(void *unused)
{
	if (load(&y, rlx) == 1)
		store(&y, 2, rlx);
	return unused;
}

static void *thread2(void *unused)
{
	r2_a = load(&y, acq);
	r2_b = load(&x, rlx);
	return unused;
}

int main(void)
{
	RUN(thread0, thread1, thread2);
	assert(!(r2_a == 2 && r2_b == 0));
	return 0;
}
