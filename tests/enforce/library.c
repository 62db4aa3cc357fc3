/* LIBRARY=1: a library with a counter; otherwise a program whose threads use it. */
#include "window.h"
int add(int n);
#ifdef LIBRARY
static int sum;
int add(int n)
{
	return __atomic_add_fetch(&sum, LIBRARY * n, __ATOMIC_SEQ_CST);
}
#else
static void *use(void *a)
{
	add(1);
	return a;
}
int main(void)
{
	run_two(use, use);
	assert(add(0));
	return 0;
}
#endif
