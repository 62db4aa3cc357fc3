/* flag_spin: a flag that is waited for, twice handed on
   -DWEAK: handed on with relaxed: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define ON rlx
#else
#define ON rel
#endif
static atomic_int stage;
static int data;

static void *first(void *arg)
{
	data = 1;
	store(&stage, 1, rel);
	return NULL;
}

static void *second(void *arg)
{
	while (load(&stage, acq) != 1)
		SPIN();
	data++;
	store(&stage, 2, ON);
	return NULL;
}

static void *third(void *arg)
{
	while (load(&stage, acq) != 2)
		SPIN();
	CHECK(data == 2);
	return NULL;
}

int main(void)
{
	RUN(first, second, third);
	return 0;
}
