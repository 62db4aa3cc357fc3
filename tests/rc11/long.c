/* So many atomic accesses in one execution that the last ones are not in the graph any more. */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int n;

static void *adder(void *unused)
{
	for (int i = 0; i < 1500; i++)
		fadd(&n, 1, rlx);
	return unused;
}

int main(void)
{
	RUN(adder, adder);
	CHECK(load(&n, rlx) == 3000);
	return 0;
}
