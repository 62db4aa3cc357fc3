/* A block is freed by another thread.
 * build: gcc -g -O1 -pthread -o jem_cross jem_cross.c -ljemalloc
 */
#include "two.h"
static void *f(void *a)
{
	free(a);
	return 0;
}

int main()
{
	pthread_t t;
	char *p = malloc(32);
	pthread_create(&t, 0, f, p);
	char *q = malloc(32);
	free(q);
	pthread_join(t, 0);
}
