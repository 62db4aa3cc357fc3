/* A thread stores, and goes no further. The other one fails when it finds what was stored: that is a bug, whatever became of the first, and
   the one trace that counts. */
#include "simul.h"

#include "../litmus.h"

static volatile int x;

T(p)
{
	x = 1;
	simul_assume(0);
	return NULL;
}
T(q)
{
	if (x == 1)
		_Exit(1);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
