/* Three threads add to a number, each with the mutex. */
#include "locks.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int number, order[3];

static void *add(void *me)
{
	CHECK(pthread_mutex_lock(&mutex));
	order[number++] = *(int *)me;
	CHECK(pthread_mutex_unlock(&mutex));
	return NULL;
}

int main(void)
{
	run(3, add);
	assert(number == 3 && order[0] + order[1] + order[2] == 0 + 1 + 2);
	return 0;
}
