/*
 * gcc's OpenMP takes its locks with its own instructions. With and without store buffers, a thread must see what earlier critical sections
 * wrote.
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
