/* SCTBench reorder_N: N - 1 threads set two variables, one after the other; another one reads them in between. */
#include "bounded.h"

static atomic_int a, b;

THREAD(setter)
{
	a = 1;
	b = -1;
	return NULL;
}

THREAD(checker)
{
	int x = a, y = b;
	assert((x == 0 && y == 0) || (x == 1 && y == -1));
	return NULL;
}

int main(void)
{
	for (int i = 1; i < N; i++)
		start(setter, i);
	start(checker, 0);
	join_all();
	return 0;
}
