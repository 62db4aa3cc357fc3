/* Two threads sum up what both have computed, twice; the one that the barrier names puts it together. */
#include "locks.h"

static pthread_barrier_t barrier;
static int part[2], total;

static void *compute(void *arg)
{
	int me = *(int *)arg, last;

	for (int round = 1; round <= 2; round++) {
		part[me] = round * (me + 1);
		last = pthread_barrier_wait(&barrier);
		assert(part[0] == round && part[1] == 2 * round);
		if (last == PTHREAD_BARRIER_SERIAL_THREAD)
			total += part[0] + part[1];
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

int main(void)
{
	CHECK(pthread_barrier_init(&barrier, NULL, 2));
	run(2, compute);
	assert(total == 3 + 6);
	return 0;
}
