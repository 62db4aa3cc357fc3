/* Two threads make subpools of one pool.
 * build: gcc -g -O1 -pthread -o apr_pool apr_pool.c $(pkg-config --cflags --libs apr-1)
 */
#include "two.h"
#include <apr_general.h>
#include <apr_pools.h>
static apr_pool_t *p;
static void *f(void *a)
{
	apr_pool_t *c;
	apr_pool_create(&c, p);
	apr_palloc(c, 10);
	apr_pool_destroy(c);
	return 0;
}

int main()
{
	apr_initialize();
	apr_pool_create(&p, 0);
	TWO(f);
	apr_terminate();
}
