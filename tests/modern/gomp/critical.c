// Two threads keep the largest value in a critical section.
// verdict: complete
#include <assert.h>

int main(void)
{
	int values[] = {3, 8}, largest = 0;
#pragma omp parallel for num_threads(2)
	for (int i = 0; i < 2; i++) {
#pragma omp critical
		if (values[i] > largest)
			largest = values[i];
	}
	assert(largest == 8);
	return 0;
}
