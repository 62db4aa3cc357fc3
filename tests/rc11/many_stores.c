/* A load may read any of 41 values, which are more stores than are offered to it. */
#include <pthread.h>

#include "tests/rc11/orders.h"

static atomic_int x;

static void *writer(void *unused)
{
	for (int i = 1; i <= 40; i++)
		store(&x, i, rlx);
	return unused;
}

static void *reader(void *unused)
{
	CHECK(load(&x, rlx) <= 40);
	return unused;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
