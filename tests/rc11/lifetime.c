/* An atomic of a block that was freed: its next owner gets the same memory, initializes it, and publishes it with release. A reader that acquires
   it never finds a value of the former owner. Several futures exist: the reader may come too early. */
#include <stdlib.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

static _Atomic(atomic_int *) shown;

static void *owner(void *unused)
{
	atomic_int *n = malloc(sizeof *n);

	atomic_init(n, 5);
	store(n, 6, rlx);
	store(&shown, NULL, rlx);
	free(n);
	n = malloc(sizeof *n);
	atomic_init(n, 1);
	store(n, 2, rlx);
	store(&shown, n, rel);
	store(n, 3, rlx);
	return unused;
}

static void *reader(void *unused)
{
	atomic_int *n = load(&shown, acq);

	if (n) {
		int found = load(n, rlx);
		CHECK(found == 2 || found == 3);
	}
	return unused;
}

int main(void)
{
	RUN(owner, reader);
	free(load(&shown, rlx));
	return 0;
}
