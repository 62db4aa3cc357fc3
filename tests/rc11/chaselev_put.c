/* chaselev_put: Chase and Lev's deque, what put publishes: plain content behind the slot
   -DWEAK: no release fence in put: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int top, bottom, slots[2];
static int content[2];

static void *owner(void *arg)
{
	for (int i = 0; i < 2; i++) {
		int b = load(&bottom, rlx);

		content[i] = 5;
		store(&slots[b], i, rlx);
#ifndef WEAK
		fence(rel);
#endif
		store(&bottom, b + 1, rlx);
	}
	return NULL;
}

static void *thief(void *arg)
{
	int t = load(&top, acq);

	fence(sc);
	if (t < load(&bottom, acq)) {
		int x = load(&slots[t], rlx);

		if (cas(&top, &t, t + 1, sc, rlx))
			CHECK(content[x] == 5);
	}
	return NULL;
}

int main(void)
{
	RUN(owner, thief, thief);
	return 0;
}
