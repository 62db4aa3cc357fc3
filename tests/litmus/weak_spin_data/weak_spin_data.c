/*
 * weak_spin with data in front of one flag. They are in memory when the flag is, except under PSO.
 */
#include "../weak.h"

static atomic_int x, y, data;
static int a;

T(p)
{
	ST(x, 1);
	while (!LD(y))
		;
	a = LD(data);
	return NULL;
}

T(q)
{
	ST(data, 1);
	ST(y, 1);
	while (!LD(x))
		;
	return NULL;
}

int main(void)
{
	RUN(p, q);
	return a == 0;
}
