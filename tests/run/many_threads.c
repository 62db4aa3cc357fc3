/* 500 threads in batches, created and joined, then 40 alive at once. */
#include <pthread.h>
#include <stdint.h>

#define BATCH 10
#define ALIVE 40

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static void *add(void *arg)
{
	pthread_mutex_lock(&lock);
	total += (intptr_t)arg;
	pthread_mutex_unlock(&lock);
	return arg;
}

static int run(int first, int n)
{
	pthread_t t[ALIVE];
	void *result;

	for (int i = 0; i < n; i++)
		if (pthread_create(&t[i], NULL, add, (void *)(intptr_t)(first + i)) != 0)
			return 1;
	for (int i = 0; i < n; i++)
		if (pthread_join(t[i], &result) != 0 || (intptr_t)result != first + i)
			return 2;
	return 0;
}

int main(void)
{
	long expected = 0;
	int r;

	for (int i = 0; i < 500; i += BATCH)
		if ((r = run(i, BATCH)) != 0)
			return r;
	if ((r = run(500, ALIVE)) != 0)
		return r;
	for (int i = 0; i < 500 + ALIVE; i++)
		expected += i;
	return total == expected ? 0 : 3;
}
