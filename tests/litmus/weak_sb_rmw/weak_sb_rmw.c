/*
 * weak_sb; in between, one thread makes an atomic addition to memory of its own, the other a compare-and-swap that fails. Either
 * is a locked instruction and waits for the buffer. (They are not events: no other thread uses this memory.)
 */
#include "../weak.h"

static atomic_int x, y, mine, other;
static int a, b;

T(p)
{
	ST(x, 1);
	atomic_fetch_add(&mine, 1);
	a = LD(y);
	return NULL;
}

T(q)
{
	int expected = 7;

	ST(y, 1);
	atomic_compare_exchange_strong(&other, &expected, 8);
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
