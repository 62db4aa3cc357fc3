// A task leaves its result in a threadprivate variable for the next task, which may run in another thread.
// verdict: bug
#include <assert.h>
#include <omp.h>

static int connection;
#pragma omp threadprivate(connection)

int main(void)
{
	int failed = 0;
#pragma omp parallel num_threads(2) shared(failed)
#pragma omp single
	{
#pragma omp task
		connection = 1;
#pragma omp taskwait
#pragma omp task shared(failed)
		failed = !connection;
	}
	assert(!failed);
	return 0;
}
