/*
 * sb: store buffering: each thread stores to its place and then loads from the other's; both loads find nothing.
 *
 * -DSTORE=, -DLOAD=: the orders of the accesses
 * -DEXCHANGE=: each thread stores with an exchange of this order; such an exchange is a fence on x86, and none in C11
 * -DFENCE=: a fence of this order between the accesses
 * -DMIXED: the second thread has seq_cst accesses and no fence
 */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef EXCHANGE
#define STORE EXCHANGE
#define PUT(p, o) atomic_exchange_explicit(p, 1, o)
#else
#define PUT(p, o) store(p, 1, o)
#endif
#ifdef MIXED
#define STORE1 sc
#define LOAD1 sc
#else
#define STORE1 STORE
#define LOAD1 LOAD
#endif

static atomic_int x, y;
static int seen_x, seen_y;

static void *thread0(void *unused)
{
	PUT(&x, STORE);
#ifdef FENCE
	fence(FENCE);
#endif
	seen_y = load(&y, LOAD);
	return NULL;
}

static void *thread1(void *unused)
{
	PUT(&y, STORE1);
#if defined FENCE && !defined MIXED
	fence(FENCE);
#endif
	seen_x = load(&x, LOAD1);
	return NULL;
}

int main(void)
{
	RUN(thread0, thread1);
	assert(seen_x == 1 || seen_y == 1);
	return 0;
}
