/*
 * weak_sb. One of the stores is an unaligned vector instruction of 16 bytes. The other thread loads one half after the other and finds
 * neither, the second only, or both; p's load finds 0 or 1: 6. Under SC p finds 1 when q's first load finds nothing: 4.
 */
#include <emmintrin.h>

#include "../weak.h"

typedef __m128i unaligned __attribute__((aligned(1), may_alias));

static _Alignas(16) long long room[4];
static atomic_int flag;
static int a;
static long long b, c;

T(p)
{
	*(volatile unaligned *)(room + 1) = _mm_set1_epi8(1);
	a = LD(flag);
	return NULL;
}

T(q)
{
	ST(flag, 1);
	b = *(volatile long long *)(room + 1);
	c = *(volatile long long *)(room + 2);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	if (room[0] != 0 || room[1] != 0x0101010101010101 || room[2] != 0x0101010101010101 || room[3] != 0 || b > c)
		abort();
	return a == 0 && b == 0;
}
