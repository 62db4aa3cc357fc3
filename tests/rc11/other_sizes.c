/* An atomic access of 8 bytes overlaps two of 4 bytes. C11 does not define that: such accesses meet the latest store. */
#include <pthread.h>
#include <stdint.h>

#include "tests/rc11/orders.h"

static union {
	_Atomic uint64_t both;
	_Atomic uint32_t half[2];
} u;

static void *writer(void *unused)
{
	store(&u.half[0], 1, rlx);
	return unused;
}

static void *reader(void *unused)
{
	uint64_t first = load(&u.both, rlx), second = load(&u.both, rlx);

	CHECK(first <= second);
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
