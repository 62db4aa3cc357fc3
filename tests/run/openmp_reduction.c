/* gcc's OpenMP, patched for store buffers only: otherwise the verdict says that its own accesses are not seen. */
#include <stdio.h>

int main(void)
{
	int sum = 0;

#pragma omp parallel for num_threads(2) reduction(+ : sum)
	for (int i = 0; i < 4; i++)
		sum += i;
	if (sum != 6)
		fprintf(stderr, "the sum is %d\n", sum);
	return sum != 6;
}
