/* Ck_fifo_mpmc, two enqueues.
 * build: gcc -g -O1 -pthread -o ck_fifo ck_fifo.c -lck
 */
#include "two.h"
#include <ck_fifo.h>
static ck_fifo_mpmc_t q;
static ck_fifo_mpmc_entry_t st, k[2];
static long v[2] = {1, 2};
static void *f(void *a)
{
	long i = (long)a - 1;
	ck_fifo_mpmc_enqueue(&q, &k[i], &v[i]);
	return 0;
}

int main()
{
	ck_fifo_mpmc_init(&q, &st);
	TWO(f);
	void *r;
	ck_fifo_mpmc_entry_t *g;
	assert(ck_fifo_mpmc_dequeue(&q, &r, &g));
	assert(ck_fifo_mpmc_dequeue(&q, &r, &g));
	assert(!ck_fifo_mpmc_dequeue(&q, &r, &g));
}
