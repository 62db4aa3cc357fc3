/* A thread asks whether the first thread has ended, before it joins it. The answer must be no. The first thread's
   object has its first event from another thread. */
#define _GNU_SOURCE
#include <errno.h>
#include "window.h"

static pthread_t first;
static int left;

static void *joiner(void *a)
{
	void *value;

	window(2);
	assert(pthread_tryjoin_np(first, &value) == EBUSY);
	assert(!pthread_join(first, &value) && value == &left && left == 1);
	return a;
}

int main(void)
{
	pthread_t t;

	first = pthread_self();
	pthread_create(&t, NULL, joiner, NULL);
	left = 1;
	pthread_exit(&left);
}
