/* Two threads wait until a third says that there is something for both. */
#include "locks.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int ready, seen;

static void *use(void *me)
{
	CHECK(pthread_mutex_lock(&mutex));
	if (*(int *)me == 0) {
		ready = 7;
		CHECK(pthread_cond_broadcast(&cond));
	} else {
		while (!ready)
			CHECK(pthread_cond_wait(&cond, &mutex));
		seen += ready;
	}
	CHECK(pthread_mutex_unlock(&mutex));
	return NULL;
}

int main(void)
{
	run(3, use);
	assert(seen == 14);
	return 0;
}
