/* Two threads allocate and free.
 * build: gcc -g -O1 -pthread -o mimalloc mimalloc.c -lmimalloc
 */
#include "two.h"
#include <mimalloc.h>
static void *f(void *a)
{
	for (int i = 0; i < 2; i++) {
		char *p = mi_malloc(100);
		memset(p, (long)a, 100);
		assert(p[99] == (long)a);
		mi_free(p);
	}
	return 0;
}

int main()
{
	TWO(f);
}
