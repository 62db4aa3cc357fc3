/* Two threads plan with the thread-safe planner.
 * build: gcc -g -O1 -pthread -o fftw_planner fftw_planner.c -lfftw3_threads -lfftw3 -lm
 */
#include "two.h"
#include <fftw3.h>
static void *f(void *a)
{
	fftw_complex i[4] = {{1, 0}}, o[4];
	fftw_plan p = fftw_plan_dft_1d(4, i, o, -1, FFTW_ESTIMATE);
	fftw_execute(p);
	fftw_destroy_plan(p);
	return 0;
}

int main()
{
	fftw_make_planner_thread_safe();
	TWO(f);
	fftw_cleanup_threads();
}
