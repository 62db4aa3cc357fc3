/* SCTBench phase01: the second phase begins with the lock of the first one, which is not released when the phases overlap. */
#include "bounded.h"

static mutex x = PTHREAD_MUTEX_INITIALIZER, y = PTHREAD_MUTEX_INITIALIZER;
static int phase;

THREAD(worker)
{
	lock(&x);
	bool second = phase++ > 0;
	if (!second)
		unlock(&x);
	lock(&y);
	if (second)
		lock(&x); /* held already */
	unlock(&x);
	unlock(&y);
	return NULL;
}

int main(void)
{
	start(worker, 0);
	start(worker, 1);
	join_all();
	return 0;
}
