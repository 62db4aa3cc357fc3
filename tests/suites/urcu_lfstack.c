/* Wfstack, two pushes.
 * build: gcc -g -O1 -pthread -o urcu_lfstack urcu_lfstack.c -lurcu-memb -lurcu-common -lurcu-cds
 */
#include "two.h"
#include <urcu/urcu-memb.h>
#include <urcu/wfstack.h>
static struct cds_wfs_stack s;
struct n {
	struct cds_wfs_node n;
	int v;
};
static struct n k[2];
static void *f(void *a)
{
	long i = (long)a - 1;
	k[i].v = i + 1;
	cds_wfs_node_init(&k[i].n);
	cds_wfs_push(&s, &k[i].n);
	return 0;
}

int main()
{
	cds_wfs_init(&s);
	TWO(f);
	int c = 0;
	while (cds_wfs_pop_blocking(&s))
		c++;
	assert(c == 2);
}
