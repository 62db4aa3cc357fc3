/*
 * gcc's OpenMP takes its locks by instructions of its own: no thread finds the variable as it was before another one's critical
 * section, store buffers or not.
 */
#include <stdio.h>

int main(void)
{
	int sum = 0;

#pragma omp parallel num_threads(2)
	{
#pragma omp critical
		sum++;
	}
	if (sum != 2)
		fprintf(stderr, "the sum is %d\n", sum);
	return sum != 2;
}
