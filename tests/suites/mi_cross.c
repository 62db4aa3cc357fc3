/* A block is freed by another thread.
 * build: gcc -g -O1 -pthread -o mi_cross mi_cross.c -lmimalloc
 */
#include "two.h"
#include <mimalloc.h>
static void *f(void *a)
{
	mi_free(a);
	return 0;
}

int main()
{
	pthread_t t;
	char *p = mi_malloc(32);
	pthread_create(&t, 0, f, p);
	char *q = mi_malloc(32);
	mi_free(q);
	pthread_join(t, 0);
}
