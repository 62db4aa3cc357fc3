/*
 * Two threads add one to a counter, without a lock: a load and a store each. One after the other: 2 traces. Both load before either store reaches
 * memory, and the stores come in either order: 2 more. A buffer adds no trace: no thread loads after its store.
 */
#include "../weak.h"

static volatile int counter;

T(p)
{
	counter++;
	return NULL;
}

int main(void)
{
	RUN(p, p);
	return counter != 1 && counter != 2;
}
