/* SV-COMP triangular: two counters overtake each other step by step; the maximum is reached only if the threads alternate. */
#include "bounded.h"

static atomic_int i = 3, j = 6;

THREAD(first)
{
	for (int k = 0; k < N; k++)
		i = j + 1;
	return NULL;
}

THREAD(second)
{
	for (int k = 0; k < N; k++)
		j = i + 1;
	return NULL;
}

int main(void)
{
	start(first, 0);
	start(second, 0);
	join_all();
	assert(i < 6 + 2 * N && j < 6 + 2 * N);
	return 0;
}
