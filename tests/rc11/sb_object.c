/* Two threads store and load with seq_cst, one of them in code that is built without -fsanitize=thread. (Built twice:
   with -DOBJECT that code.) */
#include <pthread.h>

#include "tests/rc11/orders.h"

extern atomic_int x, y;
int other(void);

#ifdef OBJECT
int other(void)
{
	atomic_exchange(&x, 1);
	return atomic_load(&y);
}
#else
atomic_int x, y;
static int found;

static void *work(void *arg)
{
	found = other();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, work, NULL);
	atomic_store(&y, 1);
	int mine = atomic_load(&x);
	pthread_join(t, NULL);
	CHECK(mine || found);
	return 0;
}
#endif
