/* Store buffering with a value chosen between store and load. That is no fence: with store buffers both loads may still find 0. 3 outcomes
   and one more, with each of two values. */
#include "simul.h"

#include "../weak.h"

static atomic_int x, y;
static int a, b;

T(p)
{
	ST(x, 1);
	simul_choose(2);
	a = LD(y);
	return NULL;
}
T(q)
{
	ST(y, 1);
	b = LD(x);
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0 && b == 0;
}
