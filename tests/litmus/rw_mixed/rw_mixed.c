/* Each of the two readers comes before the writer or after it: 2 * 2. */
#include "../litmus.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

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
