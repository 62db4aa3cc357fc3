/*
 * The lock prefers writers. Main holds it for reading, tries to get it again, and gives back what it has: lock, try, unlock, unlock. The writer
 * begins in one of five places. Before the lock: main waits until it has finished. After the lock: it waits, and the try fails, so only one unlock
 * is left. After the try, or after the first unlock: it waits. After the last unlock: it takes the lock at once. After it has begun, nothing is open.
 */
#define _GNU_SOURCE
#include "../litmus.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

T(w)
{
	pthread_rwlock_wrlock(&l);
	pthread_rwlock_unlock(&l);
	return NULL;
}

int main(void)
{
	pthread_t t;

	CHECK(pthread_create(&t, NULL, w, NULL));
	pthread_rwlock_rdlock(&l);
	if (pthread_rwlock_tryrdlock(&l) == 0)
		pthread_rwlock_unlock(&l);
	pthread_rwlock_unlock(&l);
	CHECK(pthread_join(t, NULL));
	return 0;
}
