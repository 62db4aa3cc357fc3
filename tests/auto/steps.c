/* Failures that need a certain number of preemptions: steps N. A writes 1, 2, 3; the two values that B reads show how often the threads were
   switched. (With --no-patch only the lock is visible. Then there is no warm-up, which could meet a failure by chance before the search.) */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int step, first, second;

static void set(int to)
{
	pthread_mutex_lock(&lock);
	step = to;
	pthread_mutex_unlock(&lock);
}

static int get(void)
{
	pthread_mutex_lock(&lock);
	int now = step;
	pthread_mutex_unlock(&lock);
	return now;
}

static void *write_steps(void *arg)
{
	set(1);
	set(2);
	set(3);
	return NULL;
}

static void *read_twice(void *arg)
{
	first = get();
	second = get();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	int n = argc > 1 ? atoi(argv[1]) : 0;

	pthread_create(&a, NULL, write_steps, NULL);
	pthread_create(&b, NULL, read_twice, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (n == 0)
		assert(first != 0 || second != 0); /* B ran first */
	if (n == 1)
		assert(first != 2 || second != 2); /* A was left in the middle */
	if (n == 2)
		assert(first != 1 || second != 3); /* and B too */
	if (n == 3)
		assert(first != 1 || second != 2); /* and A once more */
	return 0;
}
