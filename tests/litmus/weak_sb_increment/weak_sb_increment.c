/*
 * weak_sb, each store made by an increment that is not locked: a load, which nobody else's store can meet, and a store that goes into the buffer.
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
