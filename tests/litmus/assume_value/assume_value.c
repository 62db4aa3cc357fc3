/* A thread that goes on only when it found 1. Where it found 0 the execution does not count: one trace of two is left. Main joins the
   thread that goes no further, which is no deadlock. */
#include "simul.h"

#include "../litmus.h"

static volatile int x;

T(p)
{
	x = 1;
	return NULL;
}
T(q)
{
	simul_assume(x == 1);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return 0;
}
