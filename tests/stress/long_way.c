/* Long only where B reads 1 and then 2: what needs few preemptions ends soon. */
#include <pthread.h>

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
	for (int i = 1; i <= 3; i++)
		set(i);
	return NULL;
}

static void *read_twice(void *arg)
{
	first = get();
	second = get();
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, write_steps, NULL);
	pthread_create(&b, NULL, read_twice, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	for (int i = 0; i < 100 && first == 1 && second == 2; i++)
		get();
	return 0;
}
