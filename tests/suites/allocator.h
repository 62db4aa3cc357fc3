/* Programs for an allocator whose functions are ALLOCATE and RELEASE. */
#include "two.h"

static inline void *allocate_twice(void *a)
{
	for (int i = 0; i < 2; i++) {
		char *p = ALLOCATE(100);
		memset(p, (long)a, 100);
		assert(p[99] == (long)a);
		RELEASE(p);
	}
	return NULL;
}

/* Two threads allocate and free. */
static inline int in_two_threads(void)
{
	TWO(allocate_twice);
	return 0;
}

static inline void *release(void *a)
{
	RELEASE(a);
	return NULL;
}

/* A block is freed by another thread. */
static inline int by_another_thread(void)
{
	pthread_t t;
	char *p = ALLOCATE(32), *q;

	pthread_create(&t, NULL, release, p);
	q = ALLOCATE(32);
	RELEASE(q);
	pthread_join(t, NULL);
	return 0;
}
