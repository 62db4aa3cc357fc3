/* An atomic access of 8 bytes overlaps two of 4 bytes. C11 does not define that: such accesses meet the latest store. */
#include <stdint.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

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
	RUN(writer, reader);
	return 0;
}
