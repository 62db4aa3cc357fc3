/*
 * tasks N: two threads run three tasks, which share nothing. Which thread runs which task follows from the order in which the threads take a lock of libgomp's own.
 * Fails if it is the N-th of the eight ways.
 */
#include <assert.h>
#include <omp.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int thread[3] = { 0 }, n = argc > 1 ? atoi(argv[1]) : -1;

#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task shared(thread)
		thread[0] = omp_get_thread_num();
#pragma omp task shared(thread)
		thread[1] = omp_get_thread_num();
#pragma omp task shared(thread)
		thread[2] = omp_get_thread_num();
	}
	assert(4 * thread[0] + 2 * thread[1] + thread[2] != n);
}
