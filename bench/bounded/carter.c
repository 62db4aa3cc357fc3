/*
 * SCTBench carter01: the first of a group takes the shared lock, the last one releases it. A thread that waits for it holds the lock of the
 * counters, which the last one needs.
 */
#include "bounded.h"

static mutex counters = PTHREAD_MUTEX_INITIALIZER, shared = PTHREAD_MUTEX_INITIALIZER;
static int inside[2];

THREAD(member)
{
	int group = me;
	lock(&counters);
	if (++inside[group] == 1)
		lock(&shared);
	unlock(&counters);

	lock(&counters);
	if (--inside[group] == 0)
		unlock(&shared);
	unlock(&counters);
	return NULL;
}

int main(void)
{
	start(member, 0);
	start(member, 1);
	join_all();
	return 0;
}
