/* Two threads allocate and free.
 * build: gcc -g -O1 -pthread -o jemalloc jemalloc.c -ljemalloc
 */
#include "two.h"
static void *f(void *a)
{
	for (int i = 0; i < 2; i++) {
		char *p = malloc(100);
		memset(p, (long)a, 100);
		assert(p[99] == (long)a);
		free(p);
	}
	return 0;
}

int main()
{
	TWO(f);
}
