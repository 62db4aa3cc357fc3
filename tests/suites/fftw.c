/* A 64 x 64 transform with two threads.
 * build: gcc -g -O1 -pthread -o fftw fftw.c -lfftw3_threads -lfftw3 -lm
 */
#include "two.h"
#include <fftw3.h>
int main()
{
	fftw_init_threads();
	fftw_plan_with_nthreads(2);
	fftw_complex *in = fftw_malloc(sizeof(*in) * 64 * 64), *out = fftw_malloc(sizeof(*in) * 64 * 64);
	fftw_plan p = fftw_plan_dft_2d(64, 64, in, out, -1, FFTW_ESTIMATE);
	for (int i = 0; i < 64 * 64; i++)
		in[i][0] = 1, in[i][1] = 0;
	fftw_execute(p);
	assert(out[0][0] > 4095);
	fftw_destroy_plan(p);
	fftw_cleanup_threads();
}
