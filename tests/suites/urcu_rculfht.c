/* Cds_lfht_add_unique of one key by two threads.
 * build: gcc -g -O1 -pthread -o urcu_rculfht urcu_rculfht.c -lurcu-memb -lurcu-common -lurcu-cds
 */
#include "two.h"
#include <urcu/urcu-memb.h>
#include <urcu/rculfhash.h>
static struct cds_lfht *h;
struct n {
	struct cds_lfht_node n;
	long k;
};
static struct n k[2];
static int mt(struct cds_lfht_node *n, const void *x)
{
	return ((struct n *)n)->k == *(const long *)x;
}

static void *f(void *a)
{
	long i = (long)a - 1;
	urcu_memb_register_thread();
	k[i].k = 5;
	cds_lfht_node_init(&k[i].n);
	urcu_memb_read_lock();
	cds_lfht_add_unique(h, 5, mt, &k[i].k, &k[i].n);
	urcu_memb_read_unlock();
	urcu_memb_unregister_thread();
	return 0;
}

int main()
{
	h = cds_lfht_new_flavor(1, 1, 1, 0, &urcu_memb_flavor, 0);
	TWO(f);
}
