/* rcu: publication of a new version by pointer, read with consume
   -DWEAK: published with relaxed: a data race */
#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define PUBLISH rlx
#else
#define PUBLISH rel
#endif
struct config { int a, b; };
static struct config versions[2] = { { 1, 1 } };
static _Atomic(struct config *) current = &versions[0];

static void *updater(void *arg)
{
	versions[1].a = 2;
	versions[1].b = 2;
	store(&current, &versions[1], PUBLISH);
	return NULL;
}

static void *reader(void *arg)
{
	struct config *c = load(&current, memory_order_consume);

	CHECK(c->a == c->b);
	return NULL;
}

int main(void)
{
	RUN(updater, reader, reader);
	return 0;
}
