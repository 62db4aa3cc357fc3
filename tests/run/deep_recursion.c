/* Deep recursion on a thread's own stack, with a lock taken at the bottom; half of an 8 MiB stack is used. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;

static long dive(int depth)
{
	volatile char frame[4000];

	frame[0] = frame[3999] = (char)depth;
	if (depth == 0) {
		pthread_mutex_lock(&lock);
		total++;
		pthread_mutex_unlock(&lock);
		return 0;
	}
	long below = dive(depth - 1);
	return below + (frame[0] == (char)depth && frame[3999] == (char)depth);
}

static void *worker(void *arg)
{
	return (void *)(intptr_t)dive(1000);
}

int main(void)
{
	pthread_t t[2];
	pthread_attr_t attr;
	void *result;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 8 << 20);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], &attr, worker, NULL) != 0)
			return 1;
	for (int i = 0; i < 2; i++) {
		pthread_join(t[i], &result);
		if ((intptr_t)result != 1000)
			return 2;
	}
	return total == 2 ? 0 : 3;
}
