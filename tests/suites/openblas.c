/* Dgemm 128 x 128 with two threads.
 * build: gcc -g -O1 -pthread -o openblas openblas.c -l:libopenblas.so.0
 */
#include "two.h"
void openblas_set_num_threads(int);
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
int main()
{
	static double a[128 * 128], b[128 * 128], c[128 * 128];
	openblas_set_num_threads(2);
	for (int i = 0; i < 128 * 128; i++)
		a[i] = b[i] = 1;
	cblas_dgemm(101, 111, 111, 128, 128, 128, 1, a, 128, b, 128, 0, c, 128);
	assert(c[0] == 128);
}
