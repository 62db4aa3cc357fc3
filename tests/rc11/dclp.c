/* dclp: double-checked locking
   -DWEAK: the first look is relaxed: a data race */
#include <pthread.h>

#include "tests/rc11/orders.h"
#include "tests/rc11/threads.h"

#ifdef WEAK
#define FAST rlx
#else
#define FAST acq
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static int instance;

static void *user(void *arg)
{
	if (!load(&ready, FAST)) {
		pthread_mutex_lock(&lock);
		if (!load(&ready, rlx)) {
			instance = 42;
			store(&ready, 1, rel);
		}
		pthread_mutex_unlock(&lock);
	}
	CHECK(instance == 42);
	return NULL;
}

int main(void)
{
	RUN(user, user);
	return 0;
}
