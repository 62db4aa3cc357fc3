// A parallel loop adds up an array with a reduction.
// verdict: complete
#include <assert.h>

int main(void)
{
	int numbers[] = {1, 2, 3, 4}, sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
	for (int i = 0; i < 4; i++)
		sum += numbers[i];
	assert(sum == 10);
	return 0;
}
