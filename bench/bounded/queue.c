/* SV-COMP queue (unsafe): elements are also stored in an array, and the consumer's index there runs ahead of the queue's. */
#include "bounded.h"

#ifndef SIZE
#define SIZE 6
#endif

static mutex m = PTHREAD_MUTEX_INITIALIZER;
static int element[SIZE + 1], head, tail, amount, stored[SIZE];
static bool may_enqueue = true, may_dequeue;

THREAD(enqueuer)
{
	for (int i = 0; i < SIZE; i++) {
		lock(&m);
		if (may_enqueue) {
			element[tail++] = i;
			amount++;
			stored[i] = i;
			may_enqueue = false;
			may_dequeue = true;
		}
		unlock(&m);
	}
	return NULL;
}

THREAD(dequeuer)
{
	for (int i = 0; i < SIZE; i++) {
		lock(&m);
		if (may_dequeue) {
			assert(amount > 0);
			amount--;
			assert(element[head++] == stored[i]);
			may_dequeue = false;
			may_enqueue = true;
		}
		unlock(&m);
	}
	return NULL;
}

int main(void)
{
	start(enqueuer, 0);
	start(dequeuer, 0);
	join_all();
	return 0;
}
