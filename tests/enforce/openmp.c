/* Two threads of OpenMP, whose runtime waits in futexes by its own instructions. One sets a flag before its value. */
#include <omp.h>
#include "window.h"
static int value, ready;

int main(void)
{
	int seen = 0;

#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
#pragma omp critical
		ready = 1;
		window(1);
#pragma omp critical
		value = 7;
	} else {
#pragma omp critical
		seen = ready ? value : 7;
	}
	assert(seen == 7);
	return 0;
}
