/* SCTBench token_ring: four threads pass a value on, each with the lock; nothing ensures that they do so in order. */
#include "bounded.h"

static mutex m = PTHREAD_MUTEX_INITIALIZER;
static int x[4] = {1, 1, 1, 1};

THREAD(member)
{
	lock(&m);
	x[me] = me ? x[me - 1] : (x[3] + 1) % 4;
	unlock(&m);
	return NULL;
}

THREAD(check)
{
	lock(&m);
	assert(x[0] == x[1] && x[1] == x[2] && x[2] == x[3]);
	unlock(&m);
	return NULL;
}

int main(void)
{
	for (int i = 0; i < 4; i++)
		start(member, i);
	join_all();
	started_ = 0;
	start(check, 0);
	join_all();
	return 0;
}
