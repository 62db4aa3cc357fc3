/*
 * The Fibonacci benchmark of SV-COMP (pthread/fib_bench): one thread adds j to i, N times, the other i to j. Taking turns they
 * get as far as fib(2N + 2), with fib(1) = fib(2) = 1, and no order gets further. Before including: LIMIT, what main claims that
 * neither exceeds, as fib(2N + 2) + LIMIT; JOIN, whether main waits for the threads before it looks.
 */
#include "weak.h"

#ifndef N
#define N 5
#endif

static shared i = 1, j = 1;

T(add_to_i)
{
	for (int k = 0; k < N; k++)
		ST(i, LD(i) + LD(j));
	return NULL;
}

T(add_to_j)
{
	for (int k = 0; k < N; k++)
		ST(j, LD(j) + LD(i));
	return NULL;
}

static int fib(int n)
{
	return n <= 2 ? 1 : fib(n - 1) + fib(n - 2);
}

int main(void)
{
	int limit = fib(2 * N + 2) + LIMIT;
	pthread_t t, u;

	assert(pthread_create(&t, NULL, add_to_i, NULL) == 0);
	assert(pthread_create(&u, NULL, add_to_j, NULL) == 0);
	if (JOIN) {
		pthread_join(t, NULL);
		pthread_join(u, NULL);
	}
	assert(LD(i) <= limit && LD(j) <= limit);
	if (!JOIN) {
		pthread_join(t, NULL);
		pthread_join(u, NULL);
	}
	return 0;
}
