/* corr2: all agree on the modification order */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int x;
static int r2_a, r2_b, r3_a, r3_b;

static void *thread0(void *unused)
{
	store(&x, 1, rlx);
	return unused;
}

static void *thread1(void *unused)
{
	store(&x, 2, rlx);
	return unused;
}

static void *thread2(void *unused)
{
	r2_a = load(&x, rlx);
	r2_b = load(&x, rlx);
	return unused;
}

static void *thread3(void *unused)
{
	r3_a = load(&x, rlx);
	r3_b = load(&x, rlx);
	return unused;
}

int main(void)
{
	RUN(thread0, thread1, thread2, thread3);
	assert(!(r2_a == 1 && r2_b == 2 && r3_a == 2 && r3_b == 1));
	return 0;
}
