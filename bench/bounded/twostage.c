/* SCTBench twostage_N: N - 1 threads write two variables, each with its own lock; one reads both in between. */
#include "bounded.h"

static mutex first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

THREAD(writer)
{
	lock(&first);
	data1 = 1;
	unlock(&first);
	lock(&second);
	data2 = data1 + 1;
	unlock(&second);
	return NULL;
}

THREAD(reader)
{
	lock(&first);
	int x = data1;
	unlock(&first);
	if (!x)
		return NULL;
	lock(&second);
	int y = data2;
	unlock(&second);
	assert(y == x + 1);
	return NULL;
}

int main(void)
{
	for (int i = 1; i < N; i++)
		start(writer, i);
	start(reader, 0);
	join_all();
	return 0;
}
