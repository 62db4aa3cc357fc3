/* SCTBench sync01: the waiting thread does not check first whether the signal has already been sent. */
#include "bounded.h"

static mutex m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

THREAD(producer)
{
	lock(&m);
	items++;
	pthread_cond_signal(&filled);
	unlock(&m);
	return NULL;
}

THREAD(consumer)
{
	lock(&m);
	do
		pthread_cond_wait(&filled, &m);
	while (!items);
	items--;
	unlock(&m);
	return NULL;
}

int main(void)
{
	start(consumer, 0);
	start(producer, 0);
	join_all();
	return 0;
}
