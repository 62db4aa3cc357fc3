/* Two threads allocate and collect.
 * build: gcc -g -O1 -pthread -o gc gc.c -lgc
 */
#define GC_THREADS
#include "two.h"
#include <gc.h>
static void *f(void *a)
{
	long *p = GC_MALLOC(16);
	p[0] = (long)a;
	GC_gcollect();
	assert(p[0] == (long)a);
	return 0;
}

int main()
{
	GC_INIT();
	TWO(f);
}
