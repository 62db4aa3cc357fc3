/* refcount: reference count: the last one destroys
   -DWEAK: no acquire fence before the destruction: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static atomic_int count = 3;
static int object = 1;

static void *user(void *arg)
{
	CHECK(object == 1);
	if (fsub(&count, 1, rel) == 1) {
#ifndef WEAK
		fence(acq);
#endif
		object = 0;
	}
	return NULL;
}

int main(void)
{
	RUN(user, user, user);
	return 0;
}
