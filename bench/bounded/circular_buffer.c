/* SCTBench circular_buffer: the sender announces the data before it has written all of it. */
#include "bounded.h"

#define ROOM 10
#define ITEMS 7

static mutex m = PTHREAD_MUTEX_INITIALIZER;
static int buffer[ROOM], first, next, held;
static bool may_send = true, may_receive;

static bool put(int v)
{
	if (held == ROOM)
		return false;
	buffer[next] = v;
	next = (next + 1) % ROOM;
	held++;
	return true;
}

static int take(void)
{
	if (!held)
		return -1;
	int v = buffer[first];
	first = (first + 1) % ROOM;
	held--;
	return v;
}

THREAD(sender)
{
	for (int i = 0; i < ITEMS; i++) {
		lock(&m);
		if (may_send) {
			put(i);
			may_send = false;
			may_receive = true;
		}
		unlock(&m);
	}
	return NULL;
}

THREAD(receiver)
{
	for (int i = 0; i < ITEMS; i++) {
		lock(&m);
		if (may_receive) {
			assert(take() == i); /* an iteration without data counts too */
			may_receive = false;
			may_send = true;
		}
		unlock(&m);
	}
	return NULL;
}

int main(void)
{
	start(sender, 0);
	start(receiver, 0);
	join_all();
	return 0;
}
