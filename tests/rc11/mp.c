/*
 * mp: message passing: the writer stores data and then a flag; the reader finds the flag, but not the data.
 *
 * -DSTORE=, -DLOAD=: the orders of the accesses to the flag
 * -DCAS=: the reader looks at the flag with a compare-and-swap that fails with this order, and whose order of success
 *   is acquire
 * -DFENCES: a fence before the store and one after the load
 * -DPLAIN: the data are not atomic
 * -DCAREFUL: the reader reads the data only if it finds the flag
 */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int flag;
#ifdef PLAIN
static int data;
#define WRITE() (void)(data = 1)
#define READ() data
#else
static atomic_int data;
#define WRITE() store(&data, 1, rlx)
#define READ() load(&data, rlx)
#endif
static int seen_flag, seen_data;

static void *writer(void *unused)
{
	WRITE();
#ifdef FENCES
	fence(rel);
#endif
	store(&flag, 1, STORE);
	return NULL;
}

static void *reader(void *unused)
{
	int a = 0, b = 0;

#ifdef CAS
	a = 5;
	cas(&flag, &a, 6, acq, CAS);
#else
	a = load(&flag, LOAD);
#endif
#ifdef FENCES
	fence(acq);
#endif
#ifdef CAREFUL
	if (a == 1)
#endif
		b = READ();
	seen_flag = a;
	seen_data = b;
	return NULL;
}

int main(void)
{
	RUN(writer, reader);
	assert(!(seen_flag == 1 && seen_data == 0));
	return 0;
}
