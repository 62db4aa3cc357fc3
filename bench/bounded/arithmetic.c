/* SCTBench arithmetic_prog: a producer and a consumer add up the values that they exchange; main expects the sum of a longer run. */
#include "bounded.h"

#define ITEMS 3

static mutex m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t empty = PTHREAD_COND_INITIALIZER, full = PTHREAD_COND_INITIALIZER;
static int held, total;

THREAD(producer)
{
	for (int i = 0; i < ITEMS; i++) {
		lock(&m);
		while (held > 0)
			pthread_cond_wait(&empty, &m);
		held++;
		pthread_cond_signal(&full);
		unlock(&m);
	}
	return NULL;
}

THREAD(consumer)
{
	for (int i = 0; i < ITEMS; i++) {
		lock(&m);
		while (held == 0)
			pthread_cond_wait(&full, &m);
		total += i;
		held--;
		pthread_cond_signal(&empty);
		unlock(&m);
	}
	return NULL;
}

int main(void)
{
	start(producer, 0);
	start(consumer, 0);
	join_all();
	assert(total == ITEMS * (ITEMS + 1) / 2);
	return 0;
}
