// Two readers look at a pair that a writer changes, under ck_rwlock_t.
// verdict: complete
#include <assert.h>
#include <ck_rwlock.h>
#include <pthread.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
static int width = 1, height = 1;

static void *look(void *unused)
{
	ck_rwlock_read_lock(&lock);
	assert(width == height);
	ck_rwlock_read_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t readers[2];
	for (int i = 0; i < 2; i++)
		pthread_create(&readers[i], NULL, look, NULL);
	ck_rwlock_write_lock(&lock);
	width = 2;
	height = 2;
	ck_rwlock_write_unlock(&lock);
	for (int i = 0; i < 2; i++)
		pthread_join(readers[i], NULL);
	return 0;
}
