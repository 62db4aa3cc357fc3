/* rmw_reads_latest: an RMW is before the store in modification order */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int y, z;
static int r1_a, r1_b;

static void *thread0(void *unused)
{
	store(&y, 1, rlx);
	store(&z, 1, rlx);
	return unused;
}

static void *thread1(void *unused)
{
	r1_a = load(&z, rlx);
	r1_b = fadd(&y, 1, rlx);
	return unused;
}

int main(void)
{
	RUN(thread0, thread1);
	assert(!(r1_a == 1 && r1_b == 0));
	return 0;
}
