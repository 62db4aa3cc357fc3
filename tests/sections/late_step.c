/*
 * One thread stores 1 to 8. Two others read the number once, and count under a mutex if they find 3 and 6. A search with steps begins only when such a
 * section is met, and most executions have none. Each reader finds one of 9 numbers; where both count, the orders of their sections are 2
 * traces and one class.
 */
#include "sections.h"
static A number, c[2];

T(writer)
{
	for (int k = 1; k <= 8; k++)
		ST(number, k);
	return 0;
}

static void count(int wanted, int me)
{
	if (LD(number) != wanted)
		return;
	LOCK(m);
	ST(c[me], LD(c[me]) + 1);
	UNLOCK(m);
}

T(first)
{
	count(3, 0);
	return 0;
}

T(second)
{
	count(6, 1);
	return 0;
}

RUN3(writer, first, second)
