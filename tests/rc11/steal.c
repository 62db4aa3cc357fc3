/* steal: two workers and a shared index, results are collected through a counter
   -DWEAK: counted with relaxed: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define DONE rlx
#else
#define DONE rel
#endif
static atomic_int index, done;
static int result[2];

static void *worker(void *arg)
{
	for (;;) {
		int i = fadd(&index, 1, rlx);

		if (i >= 2)
			return NULL;
		result[i] = i + 1;
		fadd(&done, 1, DONE);
	}
}

static void *collector(void *arg)
{
	if (load(&done, acq) == 2)
		CHECK(result[0] + result[1] == 3);
	return NULL;
}

int main(void)
{
	RUN(worker, worker, collector);
	return 0;
}
