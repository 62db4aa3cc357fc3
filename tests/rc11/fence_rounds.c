/* fence_rounds: in each round a thread stores, makes a fence and loads; of the last stores, one is seen */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define ORDER ar
#else
#define ORDER sc
#endif

#ifndef ROUNDS
#define ROUNDS 2
#endif

static atomic_int x, y;
static int seen_x, seen_y;

static void *thread0(void *unused)
{
	for (int i = 1; i <= ROUNDS; i++) {
		store(&x, i, rlx);
		fence(ORDER);
		seen_y = load(&y, rlx);
	}
	return unused;
}

static void *thread1(void *unused)
{
	for (int i = 1; i <= ROUNDS; i++) {
		store(&y, i, rlx);
		fence(ORDER);
		seen_x = load(&x, rlx);
	}
	return unused;
}

int main(void)
{
	RUN(thread0, thread1);
	assert(seen_x == ROUNDS || seen_y == ROUNDS);
	return 0;
}
