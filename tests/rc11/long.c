/* So many atomic accesses in one execution that the last ones are not in the graph any more. */
#include <pthread.h>

#include "tests/rc11/orders.h"

static atomic_int n;

static void *adder(void *unused)
{
	for (int i = 0; i < 1500; i++)
		fadd(&n, 1, rlx);
	return unused;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, adder, NULL);
	pthread_create(&t[1], NULL, adder, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	CHECK(load(&n, rlx) == 3000);
	return 0;
}
