/* counted THREADS ROUNDS: counts under a lock of own_lock.h. */
#include "tests/locks/own_lock.h"

#include "tests/locks/counted.h"

static own_lock lock = OWN_LOCK;

static void enter(void)
{
	take(&lock);
}

static void leave(void)
{
	give(&lock);
}
