/*
 * weak_sb, with increments that are not locked instead of stores: a load, which conflicts with no store, and a store that goes into the buffer.
 * So 4 as there, not 3 as with a locked instruction.
 */
#include "../weak.h"

static volatile int x, y;
static int a, b;

T(p)
{
	x++;
	a = y;
	return NULL;
}

T(q)
{
	y++;
	b = x;
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
