/* A bug that random executions of the warm-up meet at once, far from the execution that a search begins with: in a depth-first search, the last
   operations change first, and the bug needs another order of the first ones. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int first, shared, rounds;

static void *work(void *name)
{
	pthread_mutex_lock(&lock);
	if (!first)
		first = (int)(long)name;
	pthread_mutex_unlock(&lock);
	__atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST); /* found to be shared: the warm-up begins */
	for (int i = 0; i < 6; i++) {
		pthread_mutex_lock(&lock);
		rounds++;
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[3];

	for (long i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, work, (void *)(i + 1));
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	assert(first == 1);
	return 0;
}
