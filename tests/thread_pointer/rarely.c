/* Many steps without use of the thread pointer, and one use at a place that depends on the order of the threads. */
#include "own.h"

static __thread long mine;

static void *thread(void *arg)
{
	long me = (long)arg;
	mine = me;
	for (int i = 0; i < 3; i++) {
		pthread_mutex_lock(&lock);
		int use = shared_count++ == 2;
		pthread_mutex_unlock(&lock);
		if (use)
			assert(mine == me);
	}
	return NULL;
}

int main(void)
{
	in_threads(thread);
	return 0;
}
