/* mpmc: bounded queue with a sequence number in each slot: two put, one gets
   -DWEAK: slots are filled with relaxed: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define FILL rlx
#else
#define FILL rel
#endif
struct slot { atomic_int seq; int value; };
static struct slot slots[2] = { { 0 }, { 1 } };
static atomic_int in, out;

static void *producer(void *arg)
{
	int pos = load(&in, rlx);

	for (;;) {
		int seq = load(&slots[pos % 2].seq, acq);

		if (seq < pos)
			return NULL;
		if (seq == pos) {
			if (cas(&in, &pos, pos + 1, rlx, rlx))
				break;
		} else {
			pos = load(&in, rlx);
		}
	}
	slots[pos % 2].value = 5;
	store(&slots[pos % 2].seq, pos + 1, FILL);
	return NULL;
}

static void *consumer(void *arg)
{
	int pos = load(&out, rlx);

	if (load(&slots[pos % 2].seq, acq) == pos + 1 && cas(&out, &pos, pos + 1, rlx, rlx)) {
		CHECK(slots[pos % 2].value == 5);
		store(&slots[pos % 2].seq, pos + 2, rel);
	}
	return NULL;
}

int main(void)
{
	RUN(producer, consumer, consumer);
	return 0;
}
