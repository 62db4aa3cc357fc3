/*
 * reset: two threads, in turn, reset an atomic by a plain store and update it by compare-and-swap: correct.
 *
 * The compare-and-swap must find what the plain store has left. -DMEMSET: memset writes all of the structure; the
 * search does not know the values then.
 */
#include <string.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static struct {
	atomic_int value, other[3];
} both;
static atomic_int done, step;

static void reset(void)
{
#ifdef MEMSET
	memset((void *)&both, 0, sizeof both);
#else
	*(int *)&both.value = 0;
#endif
}

static int update(int to)
{
	int expected = 0;
	return cas(&both.value, &expected, to, rlx, rlx);
}

static void *first(void *unused)
{
	store(&both.value, 1, rlx);
	reset();
	assert(update(7));
	store(&done, 1, rel);
	store(&step, 1, rlx);
	return unused;
}

static void *second(void *unused)
{
	load(&step, rlx);
	if (load(&done, acq)) {
		assert(fadd(&both.value, 5, rlx) == 7);
		reset();
		assert(update(9));
	}
	store(&step, 2, rlx);
	return unused;
}

int main(void)
{
	store(&both.value, 3, rlx);
	RUN(first, second);
	assert(load(&both.value, rlx) == 7 || load(&both.value, rlx) == 9);
	return 0;
}
