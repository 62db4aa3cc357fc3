// A reader takes the write lock while it holds the read lock: it waits for itself.
// verdict: bug
#include <ck_rwlock.h>
#include <pthread.h>
#include <stdbool.h>

static ck_rwlock_t lock = CK_RWLOCK_INITIALIZER;
static int value;

static void *fill(void *unused)
{
	ck_rwlock_read_lock(&lock);
	if (!value) {
		ck_rwlock_write_lock(&lock);
		value = 7;
		ck_rwlock_write_unlock(&lock);
	}
	ck_rwlock_read_unlock(&lock);
	return unused;
}

int main(void)
{
	pthread_t other;
	ck_rwlock_write_lock(&lock);
	ck_rwlock_write_unlock(&lock);
	pthread_create(&other, NULL, fill, NULL);
	pthread_join(other, NULL);
	return 0;
}
