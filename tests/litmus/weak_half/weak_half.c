/*
 * weak_sb in the two halves of a word: each thread stores its half and loads the whole, one half of it from its own buffer and the other from
 * memory.
 */
#include "../weak.h"

static volatile union {
	unsigned long long whole;
	unsigned half[2];
} word;
static unsigned long long a, b;

T(p)
{
	word.half[0] = 1;
	a = word.whole;
	return NULL;
}

T(q)
{
	word.half[1] = 1;
	b = word.whole;
	return NULL;
}

int main(void)
{
	RUN(p, q);
	if (word.whole != 0x100000001 || (a & 1) != 1 || b >> 32 != 1)
		abort();
	return a == 1 && b == 0x100000000;
}
