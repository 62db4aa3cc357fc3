/* Two readers do not conflict. */
#include "../litmus.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

T(r)
{
	pthread_rwlock_rdlock(&l);
	pthread_rwlock_unlock(&l);
	return NULL;
}

int main(void)
{
	RUN(r, r);
	return 0;
}
