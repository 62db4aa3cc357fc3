/* Ck_ring, mpmc, two threads.
 * build: gcc -g -O1 -pthread -o ck_ring ck_ring.c -lck
 */
#include "two.h"
#include <ck_ring.h>
static ck_ring_t r;
static ck_ring_buffer_t b[4];
static void *f(void *a)
{
	int ok = ck_ring_enqueue_mpmc(&r, b, a);
	assert(ok);
	void *x;
	assert(ck_ring_dequeue_mpmc(&r, b, &x));
	return 0;
}

int main()
{
	ck_ring_init(&r, 4);
	TWO(f);
}
