/* A parallel region of two threads.
 * build: gcc -g -O1 -pthread -o omp_llvm omp_llvm.c -lomp5
 */
#include "two.h"
extern int __kmpc_global_thread_num(void *);
extern void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
static int n;
static void f(void *a)
{
	__atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
}

int main()
{
	GOMP_parallel(f, 0, 2, 0);
	assert(n == 2);
}
