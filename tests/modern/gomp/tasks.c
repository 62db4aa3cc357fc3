// Fibonacci numbers with tasks; taskwait waits for the two parts.
// verdict: complete
#include <assert.h>

static int fibonacci(int n)
{
	int a, b;
	if (n < 2)
		return n;
#pragma omp task shared(a)
	a = fibonacci(n - 1);
#pragma omp task shared(b)
	b = fibonacci(n - 2);
#pragma omp taskwait
	return a + b;
}

int main(void)
{
	int result;
#pragma omp parallel num_threads(2)
#pragma omp single
	result = fibonacci(3);
	assert(result == 2);
	return 0;
}
