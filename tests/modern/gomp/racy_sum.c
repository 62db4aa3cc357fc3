// A parallel loop adds to a shared sum without a reduction.
// verdict: bug
#include <assert.h>

int main(void)
{
	int numbers[] = {1, 2, 3, 4};
	volatile int sum = 0;
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 4; i++)
		sum += numbers[i];
	assert(sum == 10);
	return 0;
}
