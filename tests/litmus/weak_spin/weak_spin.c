/*
 * Two threads meet: each sets its flag and waits for the other's. Stores leave the buffer while their thread waits: no livelock, one trace.
 */
#include "../weak.h"

static atomic_int x, y;

T(p)
{
	ST(x, 1);
	while (!LD(y))
		;
	return NULL;
}

T(q)
{
	ST(y, 1);
	while (!LD(x))
		;
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
