/* z6u: Z6.U (PLDI 2017): C11 forbade it, POWER and RC11 allow it */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int x, y;
static int r1_a, r1_b, r2_a;

static void *thread0(void *unused)
{
	store(&x, 1, sc);
	store(&y, 1, rel);
	return unused;
}

static void *thread1(void *unused)
{
	r1_a = fadd(&y, 1, sc);
	r1_b = load(&y, rlx);
	return unused;
}

static void *thread2(void *unused)
{
	store(&y, 3, sc);
	r2_a = load(&x, sc);
	return unused;
}

int main(void)
{
	RUN(thread0, thread1, thread2);
	assert(!(r1_a == 1 && r1_b == 3 && r2_a == 0));
	return 0;
}
