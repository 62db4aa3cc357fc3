/* rwlock: readers count down a word, a writer takes all; all give up at once
   -DWEAK: readers leave with relaxed: a data race with the next writer */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define LEAVE rlx
#else
#define LEAVE rel
#endif
#define ALL 100
static atomic_int word = ALL;
static int shared;

static void *reader(void *arg)
{
	if (fsub(&word, 1, acq) > 0) {
		CHECK(shared >= 0);
	}
	fadd(&word, 1, LEAVE);
	return NULL;
}

static void *writer(void *arg)
{
	int all = ALL;

	if (cas(&word, &all, 0, acq, rlx)) {
		shared++;
		fadd(&word, ALL, rel);
	}
	return NULL;
}

int main(void)
{
	RUN(reader, writer, writer);
	return 0;
}
