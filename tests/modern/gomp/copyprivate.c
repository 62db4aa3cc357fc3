// One thread reads the size, and copyprivate gives it to the other one; both then allocate buffers of that size.
// verdict: complete
#include <assert.h>
#include <stdlib.h>

static int read_size(void)
{
	static int calls;
	calls++;
	assert(calls == 1);
	return 3;
}

int main(void)
{
	int total = 0;
#pragma omp parallel num_threads(2)
	{
		int size = 0;
#pragma omp single copyprivate(size)
		size = read_size();
		assert(size == 3);
		int *buffer = calloc(size, sizeof *buffer);
		for (int i = 0; i < size; i++)
			buffer[i] = i;
#pragma omp atomic
		total += buffer[size - 1];
		free(buffer);
	}
	assert(total == 4);
	return 0;
}
