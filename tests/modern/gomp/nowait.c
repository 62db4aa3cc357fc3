// nowait leaves out the barrier between two loops: the second one reads cells that the first has not filled.
// verdict: bug
#include <assert.h>

int main(void)
{
	volatile int squares[2] = {0};
	int sums[2];
#pragma omp parallel num_threads(2)
	{
#pragma omp for nowait
		for (int i = 0; i < 2; i++)
			squares[i] = (i + 1) * (i + 1);
#pragma omp for
		for (int i = 0; i < 2; i++)
			sums[i] = squares[0] + squares[1];
	}
	assert(sums[0] == 5 && sums[1] == 5);
	return 0;
}
