/* A producer and two consumers with a bounded queue. */
#include "locks.h"

#define ITEMS 2

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int slot, full, sum;

static void put(int item)
{
	CHECK(pthread_mutex_lock(&mutex));
	while (full)
		CHECK(pthread_cond_wait(&not_full, &mutex));
	slot = item;
	full = 1;
	CHECK(pthread_cond_signal(&not_empty));
	CHECK(pthread_mutex_unlock(&mutex));
}

static void take(void)
{
	CHECK(pthread_mutex_lock(&mutex));
	while (!full)
		CHECK(pthread_cond_wait(&not_empty, &mutex));
	assert(slot > 0);
	sum += slot;
	full = 0;
	CHECK(pthread_cond_signal(&not_full));
	CHECK(pthread_mutex_unlock(&mutex));
}

static void *work(void *me)
{
	if (*(int *)me == 0)
		for (int i = 1; i <= ITEMS; i++)
			put(i);
	else
		take();
	return NULL;
}

int main(void)
{
	run(1 + ITEMS, work);
	assert(sum == 1 + 2 && !full);
	return 0;
}
