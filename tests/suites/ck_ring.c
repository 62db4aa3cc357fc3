/* Ck_ring, mpmc, two threads.
 * build: gcc -g -O1 -pthread -o ck_ring ck_ring.c -lck
 */
#include "two.h"
#include <ck_ring.h>
static ck_ring_t r;
static ck_ring_buffer_t b[4];
static void *got[2];
static void *f(void *a)
{
	int ok = ck_ring_enqueue_mpmc(&r, b, a);
	assert(ok);
	ok = ck_ring_dequeue_mpmc(&r, b, &got[(long)a - 1]);
	assert(ok);
	return 0;
}

int main()
{
	ck_ring_init(&r, 4);
	TWO(f);
	assert(got[0] != got[1]);
}
