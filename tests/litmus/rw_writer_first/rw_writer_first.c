/*
 * The lock prefers writers: a writer that begins to wait is an event. When the writer begins, each of the two readers has not begun yet, holds
 * the lock, or has released it: 3 * 3. If a reader holds it, the writer waits, and a reader that has not begun comes after the writer;
 * otherwise the writer takes the lock at once. So nothing else is left open.
 */
#define _GNU_SOURCE
#include "../litmus.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

T(r)
{
	pthread_rwlock_rdlock(&l);
	pthread_rwlock_unlock(&l);
	return NULL;
}

T(w)
{
	pthread_rwlock_wrlock(&l);
	pthread_rwlock_unlock(&l);
	return NULL;
}

int main(void)
{
	RUN(r, w, r);
	return 0;
}
