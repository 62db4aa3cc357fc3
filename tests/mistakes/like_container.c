/*
 * The walk has the lock all the time. What is lost is a count of lookups, which two threads change without it.
 * kind: atomicity
 * never: walked
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int jobs[3] = {7, 8, 9}, count = 3;
static atomic_int lookups;

static int has(int job)
{
	int found = 0;

	pthread_mutex_lock(&lock);
	for (int i = 0; i < count; i++)
		found |= jobs[i] == job;
	pthread_mutex_unlock(&lock);
	atomic_store(&lookups, atomic_load(&lookups) + 1);
	return found;
}

static void *look_and_remove(void *unused)
{
	has(9);
	pthread_mutex_lock(&lock);
	jobs[0] = jobs[--count];
	pthread_mutex_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, look_and_remove, NULL);
	has(8);
	pthread_join(thread, NULL);
	assert(lookups == 2);
	return 0;
}
