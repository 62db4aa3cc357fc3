/*
 * A thread waits until its own store is overwritten, by a thread that waits for that store. While the store is in the buffer, the loop finds it
 * there.
 */
#include "../weak.h"

static atomic_int x;

T(p)
{
	ST(x, 1);
	while (LD(x) == 1)
		;
	return NULL;
}

T(q)
{
	while (LD(x) != 1)
		;
	ST(x, 2);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
