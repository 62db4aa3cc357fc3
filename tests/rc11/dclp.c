/* dclp: double-checked locking
   -DWEAK: the first look is relaxed: a data race */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "tests/rc11/orders.h"

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
	pthread_t t[2];

	pthread_create(&t[0], NULL, user, (void *)0L);
	pthread_create(&t[1], NULL, user, (void *)1L);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
