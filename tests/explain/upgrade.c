/* A reader-writer lock is given back and taken again for writing: both threads find nothing loaded. */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int loaded, loads;

static void *look_up(void *unused)
{
	int there;

	pthread_rwlock_rdlock(&lock);
	there = loaded;
	pthread_rwlock_unlock(&lock);
	if (!there) {
		pthread_rwlock_wrlock(&lock);
		loaded = 1;
		loads++;
		pthread_rwlock_unlock(&lock);
	}
	return NULL;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, look_up, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	assert(loads == 1);
	return 0;
}
