/* Wfcqueue, two enqueues.
 * build: gcc -g -O1 -pthread -o urcu_wfcq urcu_wfcq.c -lurcu-memb -lurcu-common -lurcu-cds
 */
#include "two.h"
#include <urcu/urcu-memb.h>
#include <urcu/wfcqueue.h>
static struct cds_wfcq_head h;
static struct cds_wfcq_tail t;
static struct cds_wfcq_node k[2];
static void *f(void *a)
{
	long i = (long)a - 1;
	cds_wfcq_node_init(&k[i]);
	cds_wfcq_enqueue(&h, &t, &k[i]);
	return 0;
}

int main()
{
	cds_wfcq_init(&h, &t);
	TWO(f);
	int c = 0;
	while (cds_wfcq_dequeue_blocking(&h, &t))
		c++;
	assert(c == 2);
}
