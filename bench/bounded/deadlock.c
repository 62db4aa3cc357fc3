/* SCTBench deadlock01: two locks, taken in both orders. */
#include "bounded.h"

static mutex a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int counter = 1;

THREAD(up)
{
	lock(&a);
	lock(&b);
	counter++;
	unlock(&b);
	unlock(&a);
	return NULL;
}

THREAD(down)
{
	lock(&b);
	lock(&a);
	counter--;
	unlock(&a);
	unlock(&b);
	return NULL;
}

int main(void)
{
	start(up, 0);
	start(down, 0);
	join_all();
	return 0;
}
