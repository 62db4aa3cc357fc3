/* An assertion fails in one order of the threads. */
#include "own.h"

static __thread long mine;

static void *thread(void *arg)
{
	mine = (long)arg;
	pthread_mutex_lock(&lock);
	shared_count = shared_count * 10 + (int)mine;
	pthread_mutex_unlock(&lock);
	assert(mine == (long)arg);
	return NULL;
}

int main(void)
{
	in_threads(thread);
	assert(shared_count != 21);
	return 0;
}
