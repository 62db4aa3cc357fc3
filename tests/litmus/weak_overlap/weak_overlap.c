/*
 * A thread stores 8 bytes and then each half. The whole comes first under all models. SC and TSO: a load of the whole finds one of the 4 steps.
 * PSO: the halves have their own queues, so it can find the second without the first: 5.
 */
#include "../weak.h"

static volatile union {
	unsigned long long whole;
	unsigned half[2];
} word;
static unsigned long long a;

T(p)
{
	word.whole = 0x0000000100000001;
	word.half[1] = 2;
	word.half[0] = 2;
	return NULL;
}

T(q)
{
	a = word.whole;
	return NULL;
}

int main(void)
{
	RUN(p, q);
	if (word.whole != 0x0000000200000002)
		abort();
	return a == 0x0000000100000002;
}
