/* Each thread has its own values of thread-local variables, near the thread pointer and far from it, and of errno,
   before and after each step. */
#include "own.h"

static __thread long near;
static __thread char far[4 << 20];

static void check(long me, int error)
{
	assert(near == me && far[0] == me && far[sizeof(far) - 1] == me && errno == error);
}

static void *thread(void *arg)
{
	long me = (long)arg;
	near = me;
	far[0] = far[sizeof(far) - 1] = (char)me;
	errno = 100 + (int)me;
	check(me, 100 + (int)me);
	step();
	check(me, 100 + (int)me);
	errno = 200 + (int)me;
	step();
	check(me, 200 + (int)me);
	return NULL;
}

int main(void)
{
	in_threads(thread);
	assert(near == 0 && far[0] == 0);
	return 0;
}
