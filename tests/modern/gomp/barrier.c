// Each thread fills its cell, and after the barrier reads that of the other.
// verdict: complete
#include <assert.h>
#include <omp.h>

int main(void)
{
	int cells[2] = {0};
#pragma omp parallel num_threads(2)
	{
		int me = omp_get_thread_num();
		cells[me] = me + 1;
#pragma omp barrier
		assert(cells[1 - me] == 2 - me);
	}
	return 0;
}
