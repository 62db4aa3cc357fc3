/* SCTBench wronglock_N: one thread takes the right lock, N others take another one. */
#include "bounded.h"

static mutex right = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static atomic_int data;

THREAD(careful)
{
	lock(&right);
	int x = data;
	data = data + 1;
	assert(data == x + 1);
	unlock(&right);
	return NULL;
}

THREAD(careless)
{
	lock(&wrong);
	data = data + 1;
	unlock(&wrong);
	return NULL;
}

int main(void)
{
	start(careful, 0);
	for (int i = 0; i < N; i++)
		start(careless, i);
	join_all();
	return 0;
}
