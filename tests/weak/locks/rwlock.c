/* Two threads read a pair of numbers that a third changes. */
#include "locks.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *use(void *me)
{
	if (*(int *)me == 0) {
		for (int i = 0; i < 2; i++) {
			CHECK(pthread_rwlock_wrlock(&lock));
			a++;
			b++;
			CHECK(pthread_rwlock_unlock(&lock));
		}
		return NULL;
	}
	CHECK(pthread_rwlock_rdlock(&lock));
	assert(a == b);
	CHECK(pthread_rwlock_unlock(&lock));
	return NULL;
}

int main(void)
{
	run(3, use);
	assert(a == 2 && b == 2);
	return 0;
}
