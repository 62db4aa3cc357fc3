/* The first thread initializes; then each reads. */
#include "locks.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int table[4], made;

static void make(void)
{
	made++;
	for (int i = 0; i < 4; i++)
		table[i] = i * i;
}

static void *use(void *me)
{
	CHECK(pthread_once(&once, make));
	assert(table[*(int *)me] == *(int *)me * *(int *)me);
	return NULL;
}

int main(void)
{
	run(3, use);
	assert(made == 1);
	return 0;
}
