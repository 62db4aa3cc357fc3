/* An execution with a preemption between two accesses is a hundred times as long as the others: the loop at the end
 * locks a mutex 50,000 times. */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int before, after, more;

static void lock_often(int n)
{
	for (int i = 0; i < n; i++) {
		pthread_mutex_lock(&m);
		pthread_mutex_unlock(&m);
	}
}

static void *writer(void *arg)
{
	for (int i = 1; i <= 200; i++) {
		__atomic_store_n(&before, i, __ATOMIC_SEQ_CST);
		__atomic_store_n(&after, i, __ATOMIC_SEQ_CST);
	}
	return arg;
}

static void *reader(void *arg)
{
	for (int i = 0; i < 50; i++)
		if (__atomic_load_n(&after, __ATOMIC_SEQ_CST) < __atomic_load_n(&before, __ATOMIC_SEQ_CST))
			more = 1;
	return arg;
}

int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], NULL, writer, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	lock_often(more ? 50000 : 100);
	return 0;
}
